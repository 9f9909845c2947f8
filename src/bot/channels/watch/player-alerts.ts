import type { AlertRules } from '../../../commands/ports/placements.ts';
import type { DeliveryJobsOptions } from '../delivery-job.ts';
import { forgetRemoved } from '../forget-removed.ts';
import { PlacedJobs } from '../placed-jobs.ts';
import type { PlayerAlertConfig } from './player-alert.ts';
import { PlayerAlertPost, type PlayerAlertOptions } from './player-alert-post.ts';

type PlayerAlertsOptions = DeliveryJobsOptions & PlayerAlertOptions;

export const hasPlayerRules = ({ watched, banned, newPlayers }: Omit<PlayerAlertConfig, 'key'>): boolean =>
  [watched, banned, newPlayers].some((rule) => rule !== undefined);

export const isAboutPlayersOnly = ({ down, players, restart }: AlertRules): boolean =>
  [down, players, restart].every((rule) => rule === undefined);

/** The alerts about players of all channels. */
export class PlayerAlerts extends PlacedJobs<PlayerAlertConfig, PlayerAlertPost> {
  readonly #options: PlayerAlertsOptions;

  constructor(options: PlayerAlertsOptions) {
    super(options, options.configuredKeys.length > 0 ? options.feedPollMs : undefined);
    this.#options = options;
    void forgetRemoved('player alerts', 'alerts about players', options);
  }

  protected override create(config: PlayerAlertConfig): PlayerAlertPost {
    return new PlayerAlertPost(config, this.#options);
  }
}
