import type { Finding } from './finding.ts';

/** The groups of the report, in its order. */
export const groups = {
  program: 'Program',
  config: 'Config',
  data: 'Data',
  service: 'Service',
  servers: 'Game servers and their files',
  discord: 'Discord',
} as const;

export type Group = keyof typeof groups;

/** One check. It may take long, or throw. */
export interface Row {
  /** Where it is reported. */
  group: Group;
  /** What is checked, for the message when it does not end: `the store`. */
  subject: string;
  /** Whether it asks nobody but this machine's disks, so that `check-config` runs it, too. */
  offline: boolean;
  run(): Promise<readonly Finding[]>;
}

export interface GroupedFinding extends Finding {
  group: Group;
}
