import { z } from 'zod';

/** The names of a backup's entries, in their order. Nothing else may be in one; its manifest says which it has. */
export const manifestEntry = 'manifest.json';
const contentEntries = ['outpost.sqlite'] as const;
export type ContentEntry = (typeof contentEntries)[number];

export const largestManifest = 64 * 1024;

const formatVersion = 1;

const entrySchema = z.object({
  bytes: z.number().int().nonnegative(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

const manifestSchema = z.object({
  format: z.literal('outpost-backup'),
  formatVersion: z.literal(formatVersion),
  /** When the copy of the store began, RFC 3339. */
  createdAt: z.iso.datetime(),
  reason: z.enum(['command', 'schedule']),
  /** The version of Outpost that made the backup. */
  outpost: z.string().max(64),
  /** The store's latest migration. */
  schema: z.string().max(200),
  entries: z.object({
    'outpost.sqlite': entrySchema,
  }),
});

/** What a backup is: versions, when, and the digest of each of its entries. */
export type Manifest = z.infer<typeof manifestSchema>;

export function newManifest(content: Omit<Manifest, 'format' | 'formatVersion'>): Manifest {
  return { format: 'outpost-backup', formatVersion, ...content };
}

/** The entries of a backup after its manifest, in their order. */
export const entriesOf = ({ entries }: Pick<Manifest, 'entries'>): ContentEntry[] =>
  contentEntries.filter((name) => entries[name] !== undefined);

/** @returns null when the text is no manifest of a backup that this version can read */
export function parseManifest(text: string): Manifest | null {
  try {
    return manifestSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
