import { ApplicationCommandOptionType, ApplicationCommandType } from 'discord.js';
import { metricCodes, type MetricCode } from '../api/metrics.ts';
import { leaderboardMaxRows } from '../api/operations.ts';
import { failureEmbed } from '../embeds/failure.ts';
import { foreign } from '../embeds/text.ts';
import { topEmbed } from '../embeds/top.ts';
import { defaultLocale, languageOf, type Language } from '../locales/language.ts';
import { choicesFor, resolve } from './choices.ts';
import { numberOption, textOption, type Command } from './command.ts';
import { privateReply, readBranding, reply } from './replies.ts';

const { t } = languageOf(defaultLocale);
const defaultRows = 10;

interface MetricCandidate {
  id: MetricCode;
  name: string;
}

function candidates(language: Language): MetricCandidate[] {
  return metricCodes.map((id) => ({ id, name: language.t(`metric.${id}`) }));
}

/** The metric that a text means: a code in any case, with spaces for underscores too, or a title. */
function findMetric(language: Language, text: string): MetricCode | null {
  const asCode = text
    .trim()
    .toUpperCase()
    .replace(/[\s-]+/g, '_');
  const code = metricCodes.find((candidate) => candidate === asCode);
  if (code !== undefined) return code;
  const match = resolve(candidates(language), text);
  return 'found' in match ? match.found.id : null;
}

/** `/top metric [limit]`: the best players. */
export const topCommand: Command = {
  definition: {
    type: ApplicationCommandType.ChatInput,
    name: 'top',
    description: t('command.top.description'),
    options: [
      {
        type: ApplicationCommandOptionType.String,
        name: 'metric',
        description: t('command.top.metric'),
        required: true,
        autocomplete: true,
      },
      {
        type: ApplicationCommandOptionType.Integer,
        name: 'limit',
        description: t('command.top.limit'),
        min_value: 1,
        max_value: leaderboardMaxRows,
      },
    ],
  },
  visibility: () => 'public',
  async run({ client, options, language }) {
    const asked = textOption(options, 'metric') ?? '';
    const metric = findMetric(language, asked);
    if (metric === null) {
      const metrics = candidates(language)
        .map((candidate) => candidate.name)
        .join(', ');
      return privateReply(
        failureEmbed(language, 'inputTitle', [
          language.t('failure.unknownMetric', { metric: foreign(asked) }),
          language.t('failure.unknownMetricNext', { metrics }),
        ]),
      );
    }
    const wanted = Math.trunc(numberOption(options, 'limit') ?? defaultRows);
    const limit = Math.min(Math.max(wanted, 1), leaderboardMaxRows);
    const [branding, answer] = await Promise.all([
      readBranding(client),
      client.listLeaderboards({ metric, limit }),
    ]);
    const [board] = answer.data.leaderboards;
    const empty = { metric, unit: 'count', rows: [] } as const;
    const { receivedAt, stale } = answer;
    return reply(topEmbed(language, branding, { board: board ?? { ...empty, rows: [] }, receivedAt, stale }));
  },
  async autocomplete({ language, focused }) {
    const metrics = candidates(language);
    const byTitle = choicesFor(metrics, focused.value.replaceAll('_', ' '));
    return byTitle.length > 0 ? byTitle : choicesFor(metrics, focused.value);
  },
};
