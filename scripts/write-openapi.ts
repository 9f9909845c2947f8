// Writes the OpenAPI document of the service, as `/openapi.json` serves it, for readers and tools without a service.
import { writeFileSync } from 'node:fs';
import { format } from 'prettier';
import { createOpenApiDocument } from '../src/server/http/documentation/openapi/document.ts';

const file = new URL('../docs/openapi.json', import.meta.url);
writeFileSync(
  file,
  await format(JSON.stringify(createOpenApiDocument()), { parser: 'json', printWidth: 110 }),
);
