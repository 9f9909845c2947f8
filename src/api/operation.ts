import type { z } from 'zod';
import type { Plan, Scope } from './access.ts';
import type { ErrorCode } from './errors.ts';

/** Requests admitted in any window of `windowSeconds`, counted per token. */
export interface LimitPolicy {
  name: string;
  quota: number;
  windowSeconds: number;
}

/** Groups of operations in the documentation, in reading order. */
export const tags = {
  Registration: 'Exchange the id and secret of an application for a bearer token.',
  Project: 'The project to which the application belongs.',
  Servers: 'Servers, their last known state and their public schedules.',
  Players: 'Who is on a server now, and who a player is.',
  Leaderboards: 'The best players by each metric.',
  'Ban lists': 'Ban lists and the bans that are in force.',
} as const;

export type Tag = keyof typeof tags;

/** For how long our client gives an answer again without asking, in milliseconds. */
export interface ClientCaching {
  ms: number;
  /** In the bot of the service's own process; left out: `ms`. */
  embeddedBotMs?: number;
  /** In a bot elsewhere, all of whose members share the limit of one application; left out: `ms`. */
  remoteBotMs?: number;
}

export interface Operation {
  method: 'GET' | 'POST';
  /** Path template: `{name}` stands for a path parameter. */
  path: string;
  /** For the documentation: its group, a title, and what a reader needs to know besides parameters and answers. */
  tag: Tag;
  summary: string;
  description: string;
  /** Null: the operation takes no bearer token. */
  scope: Scope | null;
  plan: Plan | null;
  params: z.ZodType<Record<string, string>>;
  query: z.ZodType;
  body: z.ZodType | null;
  response: z.ZodType;
  /** Limits besides the token's own. */
  limits: readonly LimitPolicy[];
  /** Errors besides those that every operation of its kind can answer; see `errorsOf` in operations.ts. */
  errors: readonly ErrorCode[];
  caching: {
    /**
     * `Cache-Control` of answers: seconds for which a caller may use one without asking. 0: it asks each time, and gets a 304
     * if nothing has changed. Null: nobody may keep an answer.
     */
    maxAgeSeconds: number | null;
    /** Null: our client asks each time. */
    client: ClientCaching | null;
  };
}
