import { hash } from 'node:crypto';
import { createDownloads } from '../process/downloads.ts';

/** A picture of the owner's, such as the logo. */
export interface Image {
  type: string;
  body: Buffer;
  /** Changes with the picture, so that browsers may keep what an address shows. */
  version: string;
}

/** Loads a picture from the owner's address; null: it is not loaded yet, or could not be. */
export type LoadImage = (url: string) => Promise<Image | null>;

const limits = {
  mostBytes: 2_000_000,
  loadWithinMs: 5_000,
  keepMs: 86_400_000,
  retryMs: 600_000,
  waitMs: 1_000,
};

/** By what a file begins with. SVG is not among them: it can hold scripts. */
const imageTypes: readonly [type: string, start: RegExp][] = [
  ['image/png', /^\x89PNG\r\n/],
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/gif', /^GIF8[79]a/],
  ['image/webp', /^RIFF[^]{4}WEBP/],
];

/** Loads pictures for visitors, so that their browsers ask no other host. */
export const createImages = (onFailure: (error: unknown, url: string) => void): LoadImage =>
  createDownloads<Image>({
    ...limits,
    read(body) {
      const start = body.toString('latin1', 0, 12);
      const type = imageTypes.find(([, pattern]) => pattern.test(start))?.[0];
      if (type === undefined) throw new Error('it is no PNG, JPEG, WebP or GIF');
      return { type, body, version: hash('sha256', body, 'base64url').slice(0, 10) };
    },
    onFailure,
  });
