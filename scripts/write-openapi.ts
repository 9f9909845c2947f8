// Writes the OpenAPI document of the service, as `/openapi.json` serves it, for readers and tools without a service,
// and the types of a client that is made from it.
import { writeFileSync } from 'node:fs';
import { format } from 'prettier';
import { createOpenApiDocument } from '../src/server/http/documentation/openapi/document.ts';
import { generateClientTypes } from '../test/openapi/client/generate.ts';

const document = JSON.stringify(createOpenApiDocument());
writeFileSync(
  new URL('../docs/openapi.json', import.meta.url),
  await format(document, { parser: 'json', printWidth: 110 }),
);
writeFileSync(new URL('../test/openapi/client/service.d.ts', import.meta.url), await generateClientTypes());
