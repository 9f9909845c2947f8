// Writes the OpenAPI document of the service, as `/openapi.json` serves it, for readers and tools without a service, and
// the tables of operations and metrics in the guide.
import { readFileSync, writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { createOpenApiDocument } from '../src/server/http/documentation/openapi/document.ts';
import { withTables } from './guide-tables.ts';

const document = JSON.stringify(createOpenApiDocument());
writeFileSync(
  new URL('../docs/openapi.json', import.meta.url),
  await format(document, { parser: 'json', printWidth: 110 }),
);
const guide = new URL('../docs/api.md', import.meta.url);
const style = await resolveConfig(guide);
writeFileSync(guide, await format(withTables(readFileSync(guide, 'utf8')), { ...style, parser: 'markdown' }));
