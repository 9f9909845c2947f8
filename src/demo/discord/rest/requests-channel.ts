/**
 * Name of the diagnostics channel (node:diagnostics_channel) on which every local Discord of a process tells each request
 * that it has answered, a `RequestRecord`.
 */
export const requestsChannel = 'outpost:local-discord:request';
