import { directChannel } from '../state/guilds.ts';
import type { Gateway } from '../gateway.ts';
import { refusals } from '../errors.ts';
import { applicationJson, channelJson, userJson } from '../wire.ts';
import { ok, objectBody, param } from './router.ts';
import type { RestRequest, Route } from './router.ts';

const application = ({ state }: RestRequest) => ok(applicationJson(state));

/** The bot itself: its user, its application, the gateway's address. */
export function applicationRoutes(
  gateway: () => Pick<Gateway, 'url' | 'sessionStartLimit' | 'recommendedShards'>,
): Route[] {
  return [
    { method: 'GET', path: '/gateway', open: true, handle: () => ok({ url: gateway().url }) },
    {
      method: 'GET',
      path: '/gateway/bot',
      handle: () => {
        const { url, recommendedShards, sessionStartLimit } = gateway();
        return ok({ url, shards: recommendedShards(), session_start_limit: sessionStartLimit() });
      },
    },
    { method: 'GET', path: '/oauth2/applications/@me', handle: application },
    { method: 'GET', path: '/applications/@me', handle: application },
    { method: 'GET', path: '/users/@me', handle: ({ state }) => ok(userJson(state.bot)) },
    {
      method: 'GET',
      path: '/users/@me/guilds',
      handle: ({ state }) =>
        ok(
          [...state.guilds.values()].map(({ id, name }) => ({
            id,
            name,
            icon: null,
            owner: false,
            permissions: '0',
            features: [],
          })),
        ),
    },
    {
      method: 'POST',
      path: '/users/@me/channels',
      handle: (request) => {
        const user = request.state.users.get(String(objectBody(request)['recipient_id']));
        if (!user) throw refusals.unknownUser();
        return ok(channelJson(directChannel(request.state, user)));
      },
    },
    {
      method: 'GET',
      path: '/users/:user',
      handle: (request) => {
        const user = request.state.users.get(param(request, 'user'));
        if (!user) throw refusals.unknownUser();
        return ok(userJson(user));
      },
    },
  ];
}
