import type { Scope } from '../api/access.ts';
import {
  hashSecret,
  newApplicationId,
  newSecret,
} from '../server/store/repositories/applications/credentials.ts';
import {
  createApplication,
  listApplications,
  revokeApplication,
  rotateApplication,
  type ApplicationListing,
} from '../server/store/repositories/applications/applications.ts';
import { withConfiguredStore, withStore } from './open-store.ts';
import { CommandFailure, printResult, type Output } from './output.ts';

export async function create(
  output: Output,
  { project, name, scopes }: { project: string; name: string; scopes: Scope[] },
): Promise<void> {
  const id = newApplicationId();
  const secret = newSecret();
  const wanted = { id, projectSlug: project, name, secretHash: hashSecret(secret), scopes };
  await withConfiguredStore(async (db) => await createApplication(db, wanted, Date.now()));
  printResult(output, { ...credentials(id, secret), project, name, scopes }, credentialsText(id, secret));
}

export async function list(output: Output): Promise<void> {
  const applications = await withStore(listApplications);
  printResult(output, applications, applications.map(listingText).join('\n') || 'No applications yet.');
}

export async function rotate(output: Output, id: string): Promise<void> {
  const secret = newSecret();
  const rotated = await withStore((db) => rotateApplication(db, id, hashSecret(secret), Date.now()));
  if (!rotated) throw unknownApplication(id);
  printResult(output, credentials(id, secret), credentialsText(id, secret));
}

export async function revoke(output: Output, id: string): Promise<void> {
  const revoked = await withStore((db) => revokeApplication(db, id, Date.now()));
  if (!revoked) throw unknownApplication(id);
  printResult(output, { id, revoked: true }, `${id} is revoked.`);
}

/** As JSON, the output can be sent to the registration unchanged. */
function credentials(id: string, secret: string): { id: string; application_id: string; secret: string } {
  return { id, application_id: id, secret };
}

function credentialsText(id: string, secret: string): string {
  return [
    `application_id  ${id}`,
    `secret          ${secret}`,
    '',
    'The secret is shown this once and stored only as a hash. Keep it on the server side of your integration.',
    'docs/api.md says how to use them, and /docs at the address of the service.',
  ].join('\n');
}

function listingText(application: ApplicationListing): string {
  const { id, name, project, scopes: held, createdAt, rotatedAt, revokedAt, lastUsedAt } = application;
  const history = [
    `created ${createdAt}`,
    ...(rotatedAt === null ? [] : [`rotated ${rotatedAt}`]),
    ...(revokedAt === null ? [] : [`revoked ${revokedAt}`]),
    lastUsedAt === null ? 'never used' : `last used ${lastUsedAt}`,
  ].join(', ');
  return `${id}  ${name}  (${project}: ${held.join(' ')}; ${history})`;
}

function unknownApplication(id: string): CommandFailure {
  return new CommandFailure(`There is no application ${id}, or it is revoked; "outpost app list" shows all.`);
}
