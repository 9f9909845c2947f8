import { writeFile } from 'node:fs/promises';
import openapiTS, { astToString } from 'openapi-typescript';
import { createOpenApiDocument } from '../../../src/server/http/documentation/openapi/document.ts';

/** Writes what openapi-typescript makes of the service's document, for any client written with openapi-fetch. */
export async function writeClientTypes(): Promise<void> {
  const types = astToString(await openapiTS(JSON.stringify(createOpenApiDocument())));
  await writeFile(new URL('service.d.ts', import.meta.url), types);
}
