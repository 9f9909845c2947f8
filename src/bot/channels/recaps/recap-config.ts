import type { PlacedConfig } from '../placed-config.ts';

/** Weekly recaps in one channel. */
export interface RecapConfig extends PlacedConfig {
  /** Null: no more are posted. What was posted is kept up to date. */
  cron: string | null;
  /** Left out: all servers of the project. */
  servers?: readonly string[] | undefined;
}
