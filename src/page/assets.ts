import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Content } from './content.ts';

/** The files of `browser/`, which are copied as they are. */
const types = {
  'page.css': 'text/css; charset=utf-8',
  'page.js': 'text/javascript; charset=utf-8',
  'page.svg': 'image/svg+xml',
} as const;

type AssetName = keyof typeof types;

export const assetNames = Object.keys(types) as AssetName[];

interface Asset {
  /** Changes with the file, so that browsers may keep it for good. */
  version: string;
  content: Content;
}

const read = (name: AssetName): Asset => {
  const body = readFileSync(new URL(`./browser/${name}`, import.meta.url));
  return {
    version: hash('sha256', body, 'base64url').slice(0, 10),
    content: {
      status: 200,
      type: types[name],
      body,
      headers: ['Cache-Control', 'public, max-age=31536000, immutable'],
    },
  };
};

const assets = new Map<AssetName, Asset>();

function assetOf(name: AssetName): Asset {
  const asset = assets.get(name) ?? read(name);
  assets.set(name, asset);
  return asset;
}

export const assetContent = (name: AssetName): Content => assetOf(name).content;

export const assetPath = (name: AssetName): string => `/${name}?v=${assetOf(name).version}`;
