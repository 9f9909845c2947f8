import { createRequire } from 'node:module';
import { GlobalFonts } from '@napi-rs/canvas';

/** The scripts of the bot's languages and of most names. */
const subsets = ['latin', 'latin-ext', 'cyrillic', 'cyrillic-ext', 'greek'];
const weights = [400, 600] as const;

const family = (subset: string) => `Outpost ${subset}`;
const families = subsets.map((subset) => `"${family(subset)}"`).join(', ');

let loaded = false;

/** A CSS font of this size in pixels. The font is bundled, so system fonts do not matter. */
export function font(size: number, weight: (typeof weights)[number] = 400): string {
  if (!loaded) {
    loaded = true;
    const require = createRequire(import.meta.url);
    for (const subset of subsets) {
      for (const each of weights) {
        const file = require.resolve(`@fontsource/inter/files/inter-${subset}-${each}-normal.woff2`);
        GlobalFonts.registerFromPath(file, family(subset));
      }
    }
  }
  return `${weight} ${size}px ${families}, sans-serif`;
}
