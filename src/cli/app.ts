import { InvalidArgumentError, type Command } from 'commander';
import { scopes, type Scope } from '../api/access.ts';
import { readEnvironment } from '../config/load.ts';
import { hashSecret, newApplicationId, newSecret } from '../server/store/applications/credentials.ts';
import {
  createApplication,
  listApplications,
  revokeApplication,
  rotateApplication,
  updateApplication,
  type ApplicationListing,
} from '../server/store/applications/applications.ts';
import { withConfiguredStore, withStore } from './open-store.ts';
import { CommandFailure, printResult, withJson, type Output } from './output.ts';

interface JsonOption {
  json?: boolean;
}

export function addAppCommands(program: Command, output: Output): void {
  const app = program.command('app').description('manage the applications that may read the service');

  withJson(app.command('create'))
    .description('create an application; its id and secret are printed once')
    .requiredOption('--project <slug>', 'the project it may read')
    .requiredOption('--name <name>', 'display name', parseName)
    .requiredOption('--scopes <list>', `comma-separated, or "all": ${scopes.join(', ')}`, parseScopes)
    .action(async (options: JsonOption & { project: string; name: string; scopes: Scope[] }) => {
      const id = newApplicationId();
      const secret = newSecret();
      await withConfiguredStore(readEnvironment(), async (db) => {
        const { project: projectSlug, name } = options;
        await createApplication(
          db,
          { id, projectSlug, name, secretHash: hashSecret(secret), scopes: options.scopes },
          Date.now(),
        );
      });
      const result = {
        ...credentials(id, secret),
        project: options.project,
        name: options.name,
        scopes: options.scopes,
      };
      printResult(output, options, result, credentialsText(id, secret));
    });

  withJson(app.command('list'))
    .description('list the applications, without their secrets')
    .action(async (options: JsonOption) => {
      const applications = await withStore(readEnvironment(), listApplications);
      printResult(
        output,
        options,
        applications,
        applications.map(listingText).join('\n') || 'No applications yet.',
      );
    });

  withJson(app.command('update'))
    .description('change the name or the scopes; the id, secret and tokens stay the same')
    .argument('<id>', 'the application id')
    .option('--name <name>', 'display name', parseName)
    .option(
      '--scopes <list>',
      `the new scopes, in place of the old ones; comma-separated, or "all": ${scopes.join(', ')}`,
      parseScopes,
    )
    .action(
      async (id: string, options: JsonOption & { name?: string; scopes?: Scope[] }, command: Command) => {
        const { name, scopes: held } = options;
        if (name === undefined && held === undefined)
          command.error('error: expected --name, --scopes or both');
        const updated = await withStore(readEnvironment(), (db) =>
          updateApplication(db, id, { name, scopes: held }),
        );
        if (updated === null) throw unknownApplication(id);
        printResult(output, options, updated, listingText(updated));
      },
    );

  withJson(app.command('rotate'))
    .description('replace the secret; all tokens issued before become invalid at once')
    .argument('<id>', 'the application id')
    .action(async (id: string, options: JsonOption) => {
      const secret = newSecret();
      const rotated = await withStore(readEnvironment(), (db) =>
        rotateApplication(db, id, hashSecret(secret), Date.now()),
      );
      if (!rotated) throw unknownApplication(id);
      printResult(output, options, credentials(id, secret), credentialsText(id, secret));
    });

  withJson(app.command('revoke'))
    .description('revoke all access permanently')
    .argument('<id>', 'the application id')
    .action(async (id: string, options: JsonOption) => {
      const revoked = await withStore(readEnvironment(), (db) => revokeApplication(db, id, Date.now()));
      if (!revoked) throw unknownApplication(id);
      printResult(output, options, { id, revoked: true }, `${id} is revoked.`);
    });
}

function parseName(text: string): string {
  const name = text.trim();
  if (name === '' || name.length > 100)
    throw new InvalidArgumentError('Expected a name of 1 to 100 characters.');
  return name;
}

function parseScopes(text: string): Scope[] {
  if (text === 'all') return [...scopes];
  const wanted = text.split(',').map((scope) => scope.trim());
  const unknown = wanted.filter((scope) => !scopes.includes(scope as Scope));
  if (unknown.length > 0) {
    throw new InvalidArgumentError(
      `unknown: ${unknown.join(', ')}. Expected "all" or some of ${scopes.join(', ')}.`,
    );
  }
  return scopes.filter((scope) => wanted.includes(scope));
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
