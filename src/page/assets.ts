import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileAmongModules } from '../process/own-files.ts';
import type { PublicSource } from '../server/http/public/public-parts.ts';

const read = (name: string): Buffer => readFileSync(fileAmongModules(`page/browser/${name}`));

export const styles = ['frame.css', 'content.css', 'players.css', 'widget.css']
  .map((name) => read(name).toString())
  .join('');

/** Allows these styles, and no others, in a Content-Security-Policy. */
export const stylesSource = `'sha256-${hash('sha256', styles, 'base64')}'`;

/** Header for content that has a new address when it changes. */
export const keptForGood = ['Cache-Control', 'public, max-age=31536000, immutable'] as const;

const scriptBody = read('page.js');

export const script: PublicSource = {
  key: 'script',
  make: async () => ({
    type: 'text/javascript; charset=utf-8',
    body: scriptBody,
    headers: keptForGood,
  }),
};

export const scriptPath = '/page.js';
/** Changes with the script, so that browsers may keep it for good. */
export const scriptAddress = `${scriptPath}?v=${hash('sha256', scriptBody, 'base64url').slice(0, 10)}`;

const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#5865f2"/><path d="M8 22V14m8 8V8m8 14v-6" stroke="#fff" stroke-width="4" stroke-linecap="round"/></svg>';

/** The picture in a browser's tab where a page is about no project. */
export const iconAddress = `data:image/svg+xml,${encodeURIComponent(icon)}`;
