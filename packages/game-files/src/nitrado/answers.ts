import * as z from 'zod';

/** What Nitrado's API answers (its `data`), as far as it is read. Its clients show the shapes: NitrAPI-PHP, nitrado.js. */

const epochSeconds = z.number().int().min(0).max(8_640_000_000_000);

const entry = z.object({
  type: z.string().max(20),
  path: z.string().max(4096).optional(),
  name: z.string().max(1024),
  size: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).nullish().catch(null),
  /** Missing for some files. */
  modified_at: epochSeconds.nullish().catch(null),
});

export type NitradoEntry = z.infer<typeof entry>;

/** One odd entry is left out; a list of nothing else is not understood. */
const entries = z.array(z.unknown()).transform((all, context) => {
  const read = all.flatMap((one) => entry.safeParse(one).data ?? []);
  if (all.length > 0 && read.length === 0) context.addIssue('expected entries with type and name');
  return read;
});

/** PHP writes a list whose keys have gaps as an object. */
export const listing = z.object({
  entries: z.union([
    entries,
    z
      .record(z.string(), z.unknown())
      .transform((byKey) => Object.values(byKey))
      .pipe(entries),
  ]),
});

const shortText = z.string().max(500).nullish().catch(null);
const port = z.coerce.number().int().min(1).max(65_535).nullish().catch(null);

const service = z.object({
  id: z.coerce.number().int().positive(),
  type: shortText,
  details: z
    .object({ name: shortText, game: shortText, folder_short: shortText, portlist_short: shortText })
    .nullish()
    .catch(null),
});

/** What an account has rented: game servers, voice servers, web space. */
export const serviceList = z.object({
  services: z.array(z.unknown()).transform((all) => all.flatMap((one) => service.safeParse(one).data ?? [])),
});

const count = z
  .union([
    z.number(),
    z
      .string()
      .regex(/^[0-9]{1,6}$/)
      .transform(Number),
  ])
  .pipe(z.int().min(0).max(100_000))
  .nullish()
  .catch(null);

const gameServerDetails = z.object({
  status: shortText,
  ip: shortText,
  port,
  query_port: port,
  slots: count,
  game_specific: z.object({ path: z.string().startsWith('/').max(4096) }),
  /** An empty list while Nitrado knows nothing. */
  query: z
    .object({ server_name: shortText, map: shortText, player_current: count, player_max: count })
    .nullish()
    .catch(null),
  /** `mission`: `dayzOffline.enoch`. */
  settings: z
    .object({ config: z.object({ mission: shortText }) })
    .nullish()
    .catch(null),
});

export type GameServerDetails = z.infer<typeof gameServerDetails>;

/** A game server: where it answers, its folder, and how it is. */
export const gameServer = z.object({ gameserver: gameServerDetails });

const token = z.object({ url: z.string().max(8192), token: z.string().max(4096).nullish() });

/** Where the bytes of a file are. */
export type FileToken = z.infer<typeof token>;

export const fileToken = z.object({ token });

/** The banned names are one text with a name a line. */
export const settings = z.object({
  settings: z.object({ general: z.object({ bans: z.string().nullish() }) }),
});
