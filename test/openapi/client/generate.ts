import openapiTS, { astToString } from 'openapi-typescript';
import { format } from 'prettier';
import { createOpenApiDocument } from '../../../src/server/http/documentation/openapi/document.ts';

/** The types that openapi-typescript makes of the service's document, for any client written with openapi-fetch. */
export async function generateClientTypes(): Promise<string> {
  const nodes = await openapiTS(JSON.stringify(createOpenApiDocument()));
  const header = '// Generated from the OpenAPI document by `npm run openapi`.\n';
  return await format(header + astToString(nodes), {
    parser: 'typescript',
    printWidth: 110,
    singleQuote: true,
  });
}
