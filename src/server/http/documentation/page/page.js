// Shows the service's OpenAPI document with Swagger UI, and runs its operations through /docs/try, since a browser does
// not let a page set the User-Agent that the service requires. What is entered under "Authorize" stays in the page.

/* global SwaggerUIBundle */

const dark = matchMedia('(prefers-color-scheme: dark)');
const applyScheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', applyScheme);
applyScheme();

const answer = await fetch('/openapi.json');
const spec = await answer.json();
// Curl commands need absolute addresses.
spec.servers = [{ ...spec.servers[0], url: location.origin }];

/** Swagger UI shows the request to the service; this is the one that the page sends. */
function throughTryOut(request) {
  const { pathname, search } = new URL(request.url, location.href);
  const { 'User-Agent': applicationId = '', ...headers } = request.headers;
  return {
    ...request,
    url: `/docs/try${pathname}${search}`,
    headers: { ...headers, 'X-Application-Id': applicationId },
  };
}

SwaggerUIBundle({
  spec,
  dom_id: '#documentation',
  layout: 'BaseLayout',
  presets: [SwaggerUIBundle.presets.apis],
  supportedSubmitMethods: ['get'],
  tryItOutEnabled: true,
  displayOperationId: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
  showMutatedRequest: false,
  requestInterceptor: throughTryOut,
  onComplete: () => (document.body.dataset.ready = 'true'),
});
