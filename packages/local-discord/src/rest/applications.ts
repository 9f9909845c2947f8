import { refusals } from '../errors.ts';
import type { Gateway } from '../gateway.ts';
import { directChannel } from '../state/guilds.ts';
import { applicationJson, channelJson, userJson } from '../wire.ts';
import { ok, param, type RestRequest, type Routes } from './router.ts';

const application = ({ state }: RestRequest) => ok(applicationJson(state));

function userOf({ state }: RestRequest, id: string) {
  const user = state.users.get(id);
  if (!user) throw refusals.unknownUser();
  return user;
}

/** The bot itself: its user, its application, the gateway's address. */
export const applicationRoutes = (gateway: Gateway): Routes => ({
  'GET /gateway': () => ok({ url: gateway.url }),
  'GET /gateway/bot': () => ok(gateway.announcement),
  'GET /oauth2/applications/@me': application,
  'GET /applications/@me': application,
  'GET /users/@me': ({ state }) => ok(userJson(state.bot)),
  'GET /users/@me/guilds': ({ state }) => {
    const rest = { icon: null, owner: false, permissions: '0', features: [] };
    return ok([...state.guilds.values()].map(({ id, name }) => ({ id, name, ...rest })));
  },
  'POST /users/@me/channels': (request) =>
    ok(channelJson(directChannel(request.state, userOf(request, String(request.body['recipient_id']))))),
  'GET /users/:user': (request) => ok(userJson(userOf(request, param(request, 'user')))),
});
