// Writes the JSON Schemas of the config file and of the files of projects, which give owners completion and checks in their editor,
// and the channel jobs of the example config.
import { readFileSync, writeFileSync } from 'node:fs';
import { configSchema, jsonSchemaOf, projectFileSchema } from '../src/config/schema.ts';
import { withChannelLists } from './config-example.ts';

for (const [name, schema] of [
  ['outpost', jsonSchemaOf(configSchema)],
  ['project', jsonSchemaOf(projectFileSchema)],
] as const) {
  const file = new URL(`../config/${name}.schema.json`, import.meta.url);
  writeFileSync(file, `${JSON.stringify(schema, null, 2)}\n`);
}

const example = new URL('../config/outpost.example.yaml', import.meta.url);
writeFileSync(example, withChannelLists(readFileSync(example, 'utf8')));
