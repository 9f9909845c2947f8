import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { configuredEntries } from '../../../src/bot/channels/job-entries.ts';
import { channelListNames, channelLists } from '../../../src/config/schema/channel-jobs.ts';
import { discord } from '../../../src/config/schema/discord.ts';

const example = parse(readFileSync('config/outpost.example.yaml', 'utf8')) as {
  discord: Record<string, object[]>;
};

it.each(channelListNames)('starts the %s of every config that is valid, whatever is left out', (list) => {
  const [entry = {}] = example.discord[list] ?? [];
  const shortened = Object.keys(entry).map((left) =>
    Object.fromEntries(Object.entries(entry).filter(([key]) => key !== left)),
  );
  const valid = [entry, ...shortened].flatMap((one) => {
    const { success, data } = channelLists[list].safeParse([one]);
    return success ? [{ [list]: data }] : [];
  });
  expect(valid.length).toBeGreaterThan(1);
  for (const config of valid) expect(configuredEntries(discord.parse(config))).toHaveLength(1);
});
