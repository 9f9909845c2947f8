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
  const cases =
    <Kind extends Need, Context>(need: Kind) =>
    (name: string, run: (service: Context) => Promise<void>): Case<Kind, Context> => ({
      need,
      section: title,
      name,
      run,
    });
  return {
    any: cases<'any', Service>('any'),
    own: cases<'own', OwnService>('own'),
    clock: cases<'clock', ClockService>('clock'),
  };
}
