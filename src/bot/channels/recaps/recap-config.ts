import type { PlacedConfig } from '../placed-config.ts';

/** Weekly recaps in one channel. */
export interface RecapConfig extends PlacedConfig {
  /** Null: the config no longer has it. Only what was posted is kept up to date. */
  cron: string | null;
  /** Left out: all servers of the project. */
  servers?: readonly string[] | undefined;
}
