import type { ClockService, OwnService, Service } from './world/service.ts';

/**
 * What a case needs. `any`: only credentials, so that it runs against any address. `own`: control over the data. `clock`:
 * control over the time too.
 */
export type Need = 'any' | 'own' | 'clock';

interface Case<Kind extends Need, Context> {
  need: Kind;
  /** The part of the specification or of the design that it proves. */
  section: string;
  name: string;
  /** Takes minutes of real time: only on demand. */
  slow?: boolean;
  run(service: Context): Promise<void>;
}

export type ConformanceCase = Case<'any', Service> | Case<'own', OwnService> | Case<'clock', ClockService>;

/** Thrown by a case that cannot prove anything where it runs, with the reason. */
export class NotApplicable extends Error {
  override readonly name = 'NotApplicable';
}

/**
 * Makes the cases of one section: of the specification that this project was given (`spec §…`), or of its decisions where that
 * is silent (`design §…`). Neither document is in this repository; `docs/api.md` says what both come to.
 */
export function section(title: string) {
  return {
    any: (name: string, run: (service: Service) => Promise<void>): ConformanceCase => ({
      need: 'any',
      section: title,
      name,
      run,
    }),
    own: (name: string, run: (service: OwnService) => Promise<void>): ConformanceCase => ({
      need: 'own',
      section: title,
      name,
      run,
    }),
    clock: (name: string, run: (service: ClockService) => Promise<void>): ConformanceCase => ({
      need: 'clock',
      section: title,
      name,
      run,
    }),
  };
}
