import { playersLimit, tokenLifetimeSeconds, tokenLimit } from '../../../../api/operations.ts';

export const introduction = `A read-only service for bots and integrations. It serves the data of one game-server project: servers, schedules, leaderboards, players and bans.

## Access
1. The owner of the project creates an application and receives its \`application_id\` and, once, its secret.
2. \`POST /v1/auth/register\` exchanges both for a bearer token, valid ${tokenLifetimeSeconds / 3600} hours. Rotating the secret revokes every earlier token at once. On your own machine: \`curl -A APPLICATION_ID -H 'Content-Type: application/json' -d '{"application_id":"APPLICATION_ID","secret":"SECRET"}' ADDRESS/v1/auth/register\`.
3. Every other request carries \`Authorization: Bearer <token>\`. **Every** request, registration too, carries the header \`User-Agent\`, equal to the application_id letter by letter.
4. An operation needs its scope and its plan, both of them. \`x-scope\` and \`x-minimum-plan\` name them here; a plan includes what lower ones include (FREE, LITE, PRO).

Checks run in this order: token 401, User-Agent 403, rate 429, suspended project 423, scope 403, plan 402, parameters 400, resource 404, source not configured 409, source not available 503.

## Limits
${tokenLimit.quota} requests in any ${tokenLimit.windowSeconds} s with one token, unless its application has another figure; ${playersLimit.quota} in any ${playersLimit.windowSeconds} s on the live list besides. The window slides: each request becomes available again when the window has passed. Answers name what is left in \`RateLimit\` and \`X-RateLimit-…\`; \`Retry-After\` of a refused request says when to try again. A request refused with 401 or 403 does not count against a token's limit.

## Answers
Bodies are JSON. Times are RFC 3339 in UTC with milliseconds. An unknown value is null, never 0 and never left out. Every error has the same form, a stable code for programs and a message for people. Every \`GET\` can be asked with \`HEAD\`.`;
