import type { DeliveryJobsOptions } from '../delivery-job.ts';
import { forgetRemoved } from '../forget-removed.ts';
import { PlacedJobs } from '../placed-jobs.ts';
import type { PlayerAlertConfig } from './player-alert.ts';
import { PlayerAlertPost, type PlayerAlertOptions } from './player-alert-post.ts';

type PlayerAlertsOptions = DeliveryJobsOptions & PlayerAlertOptions;

/** The alerts about players of all channels. */
export class PlayerAlerts extends PlacedJobs<PlayerAlertConfig, PlayerAlertPost> {
  readonly #options: PlayerAlertsOptions;

  constructor(options: PlayerAlertsOptions) {
    super(options, options.feedPollMs);
    this.#options = options;
    void forgetRemoved('player alerts', 'alerts about players', options);
  }

  protected override create(config: PlayerAlertConfig): PlayerAlertPost {
    return new PlayerAlertPost(config, this.#options);
  }
}
