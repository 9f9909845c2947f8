/** Commands that read the service, for the terminal of this machine: for a POSIX shell, or for PowerShell. */
export function firstRequests(
  { serviceUrl, applicationId, secret }: Record<'serviceUrl' | 'applicationId' | 'secret', string>,
  platform = process.platform,
): string {
  const register = `${serviceUrl}/v1/auth/register`;
  const servers = `${serviceUrl}/v1/servers`;
  const lines =
    platform === 'win32'
      ? [
          `$body = @{ application_id = '${applicationId}'; secret = '${secret}' }`,
          `$answer = Invoke-RestMethod ${register} -Method Post -UserAgent ${applicationId} -Body $body`,
          `$headers = @{ Authorization = "Bearer $($answer.token)" }`,
          `Invoke-RestMethod ${servers} -UserAgent ${applicationId} -Headers $headers | ConvertTo-Json -Depth 9`,
        ]
      : [
          `TOKEN=$(curl -s -A ${applicationId} -H 'Content-Type: application/json' \\`,
          `  -d '${JSON.stringify({ application_id: applicationId, secret })}' \\`,
          `  ${register} | sed 's/.*"token":"\\([^"]*\\)".*/\\1/')`,
          `curl -s -A ${applicationId} -H "Authorization: Bearer $TOKEN" ${servers}`,
        ];
  return lines.join('\n');
}
