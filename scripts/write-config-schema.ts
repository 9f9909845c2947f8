// Writes the JSON Schema of the config file, which gives owners completion and checks in their editor.
import { writeFileSync } from 'node:fs';
import { configJsonSchema } from '../src/config/schema.ts';

const file = new URL('../config/outpost.schema.json', import.meta.url);
writeFileSync(file, `${JSON.stringify(configJsonSchema(), null, 2)}\n`);
