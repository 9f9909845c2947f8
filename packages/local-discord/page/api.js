/** The page's way to the local Discord: JSON over this origin, and a stream of events. */

async function read(response) {
  const body = await response.json();
  if (!response.ok) throw new Error(body.error ?? `HTTP ${response.status}`);
  return body;
}

/** GET /demo/{name}. */
export async function get(name, query) {
  return read(await fetch(`/demo/${name}?${new URLSearchParams(query)}`));
}

/** POST /demo/{name}. @throws Error with what Discord's client would complain about. */
export async function post(name, body) {
  const headers = { 'content-type': 'application/json' };
  return read(await fetch(`/demo/${name}`, { method: 'POST', headers, body: JSON.stringify(body) }));
}

/** Calls back for each event that a persona may see, and after every reconnection; returns how to stop. */
export function follow(userId, onEvent, onReconnect) {
  const source = new EventSource(`/demo/events?${new URLSearchParams({ user: userId })}`);
  let lost = false;
  source.addEventListener('message', (event) => onEvent(JSON.parse(event.data)));
  source.addEventListener('error', () => {
    lost = true;
  });
  source.addEventListener('open', () => {
    if (lost) onReconnect();
    lost = false;
  });
  return () => source.close();
}
