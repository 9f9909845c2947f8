import { type HeatKind, heatKinds } from '../api/heat-maps.ts';
import { branded } from '../embeds/branding.ts';
import { heatEmbed, type HeatMapView } from '../embeds/map/heat-map.ts';
import { escaped } from '../embeds/text.ts';
import { type Candidate, choicesFor, resolve } from './choices.ts';
import { type Command, type CommandContext, type Reply, textOption } from './command.ts';
import type { Offered } from './interfaces/community.ts';
import { allTime, findPeriod, periodCandidates, readOffered, unknownPeriod } from './periods.ts';
import { mayManage } from './permission.ts';
import { readBranding } from './reads.ts';
import { failureReply, pictured, unavailableReply } from './replies.ts';
import { buttonRow } from './rows.ts';
import { completeServer, readServer, serverOption } from './servers.ts';
import { controlsOf, type Screen, screenComponents } from './screen.ts';

const screen: Screen = {
  command: 'heatmap',
  options: { server: 'text', what: 'text', period: 'text', weapon: 'text' },
};

const weaponCandidates = ({ weapons }: Offered): Candidate[] => weapons.map((name) => ({ id: name, name }));

/** A weapon that is in use; null: any. Undefined: there is none by that name. */
function findWeapon({ options, pressed }: CommandContext, offered: Offered): string | null | undefined {
  const asked = textOption(options, 'weapon');
  if (asked === null) return null;
  const match = resolve(weaponCandidates(offered), asked, pressed);
  return 'found' in match ? match.found.id : undefined;
}

async function run(context: CommandContext): Promise<Reply> {
  const { client, options, language, asker, visibility } = context;
  const [branding, found, offered] = await Promise.all([
    readBranding(client),
    readServer(context),
    readOffered(context),
  ]);
  if ('refusal' in found) return found.refusal;
  const { only: server } = found;
  const kind: HeatKind = heatKinds.find((each) => each === options['what']) ?? 'deaths';
  const askedPeriod = textOption(options, 'period') ?? '';
  const period = findPeriod(context, offered, askedPeriod);
  if (period === undefined) return unknownPeriod(language, offered, askedPeriod);
  const weapon = findWeapon(context, offered);
  if (weapon === undefined) {
    const asked = escaped(textOption(options, 'weapon') ?? '');
    return failureReply(language, 'inputTitle', language.t('heat.unknownWeapon', { weapon: asked }));
  }
  const isFresh = visibility === 'private' && mayManage(asker);
  const { id: serverId, map } = server;
  const heat = await context.community.heatMap({ serverId, map, kind, period, weapon, isFresh });
  if (heat === null || heat === 'off')
    return unavailableReply(language, heat === null ? 'heat.noLogs' : 'heat.off');
  const { imagePath, ...counted } = heat;
  const shown: HeatMapView = { ...counted, server: server.name, kind, period, weapon };
  const picture = await context.pictures.heatMap(shown, imagePath, language);
  const controls = controlsOf(screen, context, {
    server: server.id,
    what: kind,
    ...(period !== null && { period: period.id }),
    ...(weapon !== null && { weapon }),
  });
  const kinds = heatKinds.map((each) => ({ id: each, name: language.t(`choice.what.${each}`) }));
  const periods = periodCandidates(language, offered);
  const components = [
    ...controls.menu('what', 'placeholder.what', kinds, kind),
    ...controls.menu('period', 'placeholder.period', periods, period?.id ?? allTime),
    ...buttonRow(controls.share()),
  ];
  return { ...pictured(branded(branding, heatEmbed(language, shown)), picture), components };
}

/** `/heatmap server what [period] [weapon]`: where players die on a map. Private, since it is newer for who manages the guild. */
export const heatmapCommand: Command = {
  definition: {
    name: 'heatmap',
    options: [
      { ...serverOption, required: true },
      { type: 'String', name: 'what', required: true, choices: heatKinds },
      { type: 'String', name: 'period', autocomplete: true },
      { type: 'String', name: 'weapon', autocomplete: true },
    ],
  },
  needsStore: () => 'heat.noLogs',
  run,
  async autocomplete(context) {
    const { language, focused } = context;
    if (focused.name === 'server') return await completeServer(context);
    const offered = await readOffered(context);
    const candidates =
      focused.name === 'period' ? periodCandidates(language, offered) : weaponCandidates(offered);
    return choicesFor(candidates, focused.value);
  },
  components: screenComponents(screen, run),
};
