import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { expect, it } from 'vitest';
import { languageOf } from '../../src/locales/language.ts';
import { ServerCard } from '../../src/page/views/parts.tsx';
import type { View } from '../../src/page/view.ts';
import * as data from '../embeds/contract-data.ts';

it('cuts the long name of a map nobody knows between characters', () => {
  const server = data.server({ map: `x${'🗺️'.repeat(40)}` });
  const view = { language: languageOf('en-US'), now: data.now } as View;
  const shown = renderToString(h(ServerCard, { view, server, schedules: [], heading: h('h1', {}) }));
  expect(shown).toContain('🗺️…</dd>');
  expect(shown.isWellFormed()).toBe(true);
});
