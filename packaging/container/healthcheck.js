// Ends with 0 if the service in this container is ready. A bot on a remote service listens nowhere: that it runs is enough.
const { OUTPOST_API_URL: remoteService, OUTPOST_HTTP_PORT: port = '8080' } = process.env;
const timeoutMs = 4_000;

if (!remoteService) {
  const answer = await fetch(`http://127.0.0.1:${port}/readyz`, {
    signal: AbortSignal.timeout(timeoutMs),
  }).catch((error) => ({ ok: false, status: error.message }));
  if (!answer.ok) {
    process.stderr.write(`not ready: ${answer.status}\n`);
    process.exitCode = 1;
  }
}
