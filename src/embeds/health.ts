import type { APIEmbed } from 'discord-api-types/v10';
import type { Language } from '../locales/language.ts';
import { colours } from './branding.ts';
import { linesWithin } from './text.ts';
import { embedLimits } from './limits.ts';
import { relative } from './timestamps.ts';
import type { NeededPermission, PostFailure } from './setup.ts';

/**
 * What is wrong with the installation, as far as Discord may see it: without paths, addresses and secrets. Names are
 * safe in markdown.
 */
export type HealthProblem =
  | { kind: 'offline' | 'unchecked' | 'unanswered' | 'logsFailed' | 'filesFailed' | 'zone'; server: string }
  /** Players are on, but the log does not grow. `updatedAt`: epoch milliseconds. */
  | { kind: 'logsSilent'; server: string; updatedAt: number }
  | { kind: 'bansFailed'; list: string }
  | { kind: 'storeDamaged' | 'storeReplaced' | 'storeUnwritable' | 'diskFull' }
  /** The machine's clock is off by so many seconds. */
  | { kind: 'clock'; seconds: number }
  /** A post that Discord or the bot refuses. */
  | { kind: 'post'; channelId: string; reason: PostFailure }
  /** Alerts that mention a role notify nobody. */
  | { kind: 'roleGone' | 'roleMuted'; channelId: string }
  | { kind: 'permissions'; channelId: string; permissions: readonly (NeededPermission | 'AttachFiles')[] };

/** @param hasFiles whether the state of logs and files is known; a bot on a remote service does not know it */
export function healthEmbed(
  language: Language,
  problems: readonly HealthProblem[],
  hasFiles: boolean,
): APIEmbed {
  const { t } = language;
  const isWell = problems.length === 0;
  const summary = isWell ? t('health.well') : t('health.found', { count: problems.length });
  const end = [...(hasFiles ? [] : [t('health.remote')]), t('health.next')];
  const limit = embedLimits.description - [summary, ...end].join('\n\n').length - 4;
  const lines = linesWithin(
    language,
    problems.map((problem) => `- ${problemText(language, problem)}`),
    limit,
  );
  return {
    title: `🩺 ${t('health.title')}`,
    description: [summary, ...(isWell ? [] : [lines]), ...end].join('\n\n'),
    color: isWell ? colours.online : colours.warning,
  };
}

function problemText({ t, list }: Language, problem: HealthProblem): string {
  const inChannel = (id: string, value: string): string => t('labelled', { label: `<#${id}>`, value });
  switch (problem.kind) {
    case 'post':
      return inChannel(problem.channelId, t(`post.failing.${problem.reason}`));
    case 'permissions': {
      const permissions = list(problem.permissions.map((name) => `**${t(`permission.${name}`)}**`));
      return inChannel(problem.channelId, t('health.permissions', { permissions }));
    }
    case 'roleGone':
      return inChannel(problem.channelId, t('health.roleGone'));
    case 'roleMuted':
      return inChannel(problem.channelId, `${t('health.roleMuted')} ${t('setup.alertRoleMuted')}`);
    case 'clock':
      return t('health.clock', { count: problem.seconds });
    case 'logsSilent':
      return t('health.logsSilent', { server: problem.server, when: relative(problem.updatedAt) });
    case 'bansFailed':
      return t('health.bansFailed', { list: problem.list });
    case 'storeDamaged':
    case 'storeReplaced':
    case 'storeUnwritable':
    case 'diskFull':
      return t(`health.${problem.kind}`);
    default:
      return t(`health.${problem.kind}`, { server: problem.server });
  }
}
