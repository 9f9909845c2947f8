// Shows the service's OpenAPI document with Swagger UI, and runs its operations through /docs/try, since a browser does
// not let a page set the User-Agent that the service requires.

/* global SwaggerUIBundle */

const form = document.querySelector('#caller');
const fields = form.elements;
const caller = { applicationId: '', token: '' };

const answer = await fetch('/openapi.json');
const specification = await answer.json();

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

function show() {
  const spec = structuredClone(specification);
  // Curl commands need absolute addresses.
  spec.servers = [{ ...spec.servers[0], url: location.origin }];
  const ui = SwaggerUIBundle({
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
    onComplete() {
      if (caller.applicationId !== '') ui.preauthorizeApiKey('applicationId', caller.applicationId);
      if (caller.token !== '') ui.preauthorizeApiKey('bearerToken', caller.token);
      document.body.dataset.ready = 'true';
    },
  });
}

function showRegistration() {
  const id = caller.applicationId === '' ? 'APPLICATION_ID' : caller.applicationId;
  document.querySelector('#register').textContent = [
    `curl -s -A ${id} -H 'Content-Type: application/json' \\`,
    `  -d '{"application_id":"${id}","secret":"SECRET"}' ${location.origin}/v1/auth/register`,
  ].join('\n');
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  caller.applicationId = fields.applicationId.value.trim();
  caller.token = fields.token.value.trim();
  fields.said.value = 'Operations now run with this token.';
  showRegistration();
  show();
});

showRegistration();
show();
