/**
 * What the checks say, by code: what was found, and what to do about it. A text begins with its status: ✓ good; ! it may be
 * right, but the owner should look; ✗ it cannot work. `{{name}}` is a value of the finding.
 */
export const texts = {
  // The program and its environment.
  'program.version': ['✓ on Node.js {{node}}'],
  'env.unreadable': ['✗ {{found}}', '{{next}}'],
  'env.warning': ['! {{found}}', 'correct it, then restart Outpost'],
  'env.open': ['! every user of this machine can read the secrets in it', 'run: chmod 600 {{file}}'],

  // A check itself.
  'check.late': [
    '! could not be checked: no result within {{seconds}} s',
    'a disk, share or host may hang, or this machine is busy: run the check again',
  ],
  'check.refused': ['✗ {{found}}', '{{next}}'],
  'check.failed': [
    '! could not be checked: {{message}}',
    'run the check again; if this repeats, report it with this message',
  ],

  // The config.
  'config.valid': ['✓ valid: {{size}}'],
  'config.mistake': ['✗ {{message}}', 'correct the line, then run the check again'],
  'config.unreadable': ['✗ {{found}}', '{{next}}'],
  'address.shared': [
    '! is also the address of {{other}}: both show the status of one game server',
    'give each server its own port and queryPort{{setting}}',
  ],
  'address.private': [
    '! the buttons to join lead there, and players elsewhere cannot reach it',
    'set joinAddress to what players type, such as 203.0.113.7:{{port}}',
  ],
  'page.inFolder': [
    '✗ the public page cannot be in a folder of another site: its links would lead out of it',
    'give the page a name of its own, such as https://play.example.org',
  ],
  'query.missingKeys': [
    '✗ the query of this game needs more than an address: {{keys}}',
    'add it to query, a secret as { env: NAME } or { file: PATH }',
  ],
  'query.unusedKeys': ['! the query of this game does not use {{keys}}', '{{next}}'],
  'id.countedTwice': ['✗ {{found}}', '{{next}}'],
  'id.ofOtherProject': [
    '✗ belongs to the project {{owner}}, with its history',
    "if you changed the project's slug, write {{owner}} again; else choose another id",
  ],
  'id.runsCountedTwice': [
    "✗ {{counted}} counted for both: everybody's figures double",
    'take the one that they do not belong to out of the config, restart Outpost or send it SIGHUP, run "outpost server forget ID", and put it back: its own files are read again',
  ],
  'guilds.named': ['✓ {{guilds}} named'],
  'guilds.unnamed': [
    '! none is named: the bot works in your Discord server only while it is in no other one',
    'name it: guilds: [{ id: "…" }]. To keep others from adding the bot, open it in the Discord developer portal, set Installation > Install Link to None, then switch Bot > Public Bot off',
  ],
  'post.noLogs': ['! server {{server}} has no logs, so {{lacks}}', 'set logs of {{server}}, or take it out'],
  'feed.noPositions': [
    '! is to show positions, but the project does not store them',
    'set killPositions of the project to true, or positions to false',
  ],
  'feed.positionsSoon': [
    '! shows positions after {{delay}}, so members see where players are',
    'set delaySeconds to {{harmless}} or more, or positions to false',
  ],
  'role.noLogs': [
    '! no server has logs, from which a {{period}} is counted, so nobody gets it',
    'set logs of a server, or leave period out',
  ],
  'remoteBot.lacks': [
    '! the bot reads a service elsewhere, which {{lacks}}',
    'set the {{what}} up with the bot of that service',
  ],
  'bot.noToken': [
    '! is not set, so the bot is off, although the config has a section discord',
    'put DISCORD_TOKEN=<the token of the bot> into .env, or remove the section',
  ],
  'bot.noSection': [
    '! DISCORD_TOKEN is set, but the config has no section discord, so the bot is off',
    'add the section discord: {} to the config, or remove the token',
  ],

  // The data folder and the store.
  'data.usable': ['✓ can be read and written'],
  'data.new': ['✓ does not exist yet: the first start creates it'],
  'data.unusable': [
    '✗ {{message}}',
    'let the user that runs Outpost read and write the folder, or name another one in OUTPOST_DATA; docs/operation.md says more',
  ],
  'disk.room': ['✓ {{free}} free'],
  'disk.full': [
    '✗ {{free}} free: Outpost can soon store nothing more',
    'free some space, or name a folder on another disk in OUTPOST_DATA',
  ],
  'store.sound': ['✓ sound, {{size}}'],
  'store.new': ['✓ does not exist yet: the first start creates it'],
  'store.unusable': ['✗ {{found}}', '{{next}}'],
  'postgres.answers': ['✓ PostgreSQL {{version}} answers, {{size}}'],
  'postgres.new': ['✓ PostgreSQL {{version}} answers; the first start creates the tables'],
  'processes.none': ['✓ none is running'],
  'process.holds': ['✓ holds {{leases}}'],
  'process.idle': ['✓ holds no lease'],

  // The service.
  'service.running': ['✓ {{who}}, version {{version}}'],
  'service.otherConfig': [
    '✗ the data folder belongs to another Outpost: {{who}}, config {{config}}',
    'give each Outpost a data folder of its own in OUTPOST_DATA, or run the check with that config in OUTPOST_CONFIG',
  ],
  'service.otherVersion': [
    '! {{who}}, runs version {{running}}, and this program is version {{version}}',
    'restart Outpost, so that the installed version runs',
  ],
  'service.elsewhere': [
    '! runs on {{host}}, another machine or container, so its service cannot be checked from here',
    'run the check there; for a container: docker compose exec outpost outpost doctor',
  ],
  'service.silent': [
    '✗ an Outpost runs on the data folder, but does not answer here',
    'if http.host or http.port was changed, restart Outpost; else see its log, then restart it',
  ],
  'service.ready': ['✓ ready'],
  'service.notReady': [
    '✗ not ready: {{parts}}',
    'see its log about that; a database that is away comes back by itself, else restart Outpost',
  ],
  'port.free': ['✓ free'],
  'port.refused': ['✗ {{reason}}', 'change {{key}} or its host in the config'],
  'port.otherOutpost': [
    '✗ an Outpost with another data folder listens there',
    'stop that one, set OUTPOST_DATA to its data folder, or choose another {{key}}',
  ],
  'port.sharedStore': [
    '✓ another Outpost listens there',
    'if it is not of this store, stop it; each further process on this machine needs a port of its own{{variable}}',
  ],
  'port.otherProgram': [
    '✗ another program answers there',
    'stop the program that uses port {{port}}, or choose another {{key}}',
  ],
  'publicUrl.answers': ['✓ reaches this service'],
  'publicUrl.silent': [
    '! no answer from this machine: {{message}}',
    'let your proxy pass this address on to http.host and http.port; open it in a browser elsewhere, since a router may refuse its own public address from inside',
  ],
  'publicUrl.other': [
    '! something else answers there',
    'let your proxy pass this address on to http.host and http.port',
  ],
  'api.known': ['✓ the service knows the application; {{granted}} of {{all}} scopes'],
  'api.someScopes': [
    '! the service knows the application, but does not grant it {{missing}}',
    'commands that need them will not work; ask the project owner to grant them',
  ],
  'api.unknownServer': ['✗ {{message}}', 'name a server of that list'],
  'api.badSecret': [
    '✗ {{message}}',
    'check OUTPOST_APPLICATION_ID and OUTPOST_SECRET; "outpost app rotate ID" on the other machine makes a new secret',
  ],
  'api.refused': ['✗ {{message}}', "this is the service's own message; its owner can help"],
  'api.unreachable': [
    '✗ {{message}}',
    'check that this is the address of an Outpost without /v1, and that this machine can reach it',
  ],

  // Queries of game servers.
  'query.answers': ['✓ answers: {{figures}}', '{{next}}'],
  'query.byHost': ['✓ runs, says its host: {{figures}}', '{{next}}'],
  'query.stoppedByHost': ['! does not run, says its host', 'start the game server there'],
  'query.console': ['✓ no answer: a server on a console gives none, so its state stays unknown'],
  'query.consolePort': [
    '! no answer: a server on a console gives none',
    'leave queryPort out, or it is shown as offline',
  ],
  'query.noAddress': [
    '! cannot be queried: the name does not resolve, or this machine has no network',
    'check host, and the DNS of this machine',
  ],
  'query.ipv4Only': [
    '! has no IPv4 address, and game servers are queried over IPv4 only: nothing was asked',
    'set host to an IPv4 address of the game server, or to a name that has one',
  ],
  'query.refused': [
    '! refuses the query, or another program answers there',
    'check query, queryPort and game',
  ],
  'query.otherProgram': ['! another program answers there', 'check queryPort and game'],
  'query.silentAtProvider': [
    '! no answer',
    'is the server running? Compare host and queryPort with {{place}}',
  ],
  'query.silent': [
    '! no answer',
    'is the server running? Its query port{{setting}} must be open over UDP{{hint}}',
  ],
  'query.silentGuess': [
    '! no answer, as from any server on a console',
    'on a PC: is the server running? Set queryPort{{setting}}; it must be open over UDP{{hint}}',
  ],

  // Files of game servers.
  'place.open': [
    '! lets the user in, but the password and all data travel open',
    'use sftp or ftps if the host offers one of them',
  ],
  'place.good': ['✓ lets the user in{{key}}'],
  'place.refused': ['✗ {{problem}}', '{{next}}'],
  'file.unreadable': ['✗ {{problem}}', '{{next}}'],
  'file.ofWindows': [
    '✗ is a path of Windows, and Outpost runs on another system',
    'in a container, mount the folder, and write its path in there into the config',
  ],
  'file.shared': [
    '✗ is the same as {{path}} of the server "{{other}}", and everything in it counts twice',
    'give each server files of its own, then run "outpost server forget" for the one that had none',
  ],
  'logs.good': ['✓ {{found}}; the latest, {{name}}, {{start}}'],
  'logs.noFormat': ['✗ {{message}}', 'leave logs out; logs can be read of: {{games}}'],
  'logs.none': ['✗ {{found}}', '{{next}}'],
  'logs.noHeader': [
    '! {{found}}; {{name}} {{reason}}',
    'check that the folder is that of a server of the game "{{game}}"; a log that has only just started is fine',
  ],
  'logs.offZone': ['! {{found}}; the latest, {{name}}, {{start}}; {{problem}}', '{{next}}'],
  'logs.noIdentities': [
    '! {{found}}; the latest, {{name}}, {{start}}',
    'keep the {{files}} files in the same folder: without them few players have a SteamID64',
  ],
  'characters.read': ['✓ {{found}}'],
  'characters.new': ['✓ does not exist yet: the game creates it when the mission starts'],
  'messages.restart': ['✓ restarts the server {{minutes}} after its start'],
  'messages.noRestart': [
    '✓ {{messages}}, none of which shuts the server down: no restart is shown; if something else restarts the server, write the schedule into the config',
  ],
  'messages.noLogs': [
    '! restarts the server {{minutes}} after its start',
    "set logs as well: restart times are counted from the server's start, which comes from its logs",
  ],
  'bans.good': ['✓ {{found}}'],
  'bans.new': ['✓ does not exist yet: no bans'],
  'bans.missing': [
    '! does not exist yet: no bans',
    'check the path, unless the server has never been started',
  ],
  'bans.mistyped': ['! does not exist, but {{file}} has {{bans}}', 'correct the path if that file is meant'],
  'settings.agree': ['✓ {{found}}'],
  'settings.differ': ['! {{found}}', '{{next}}'],

  // Discord.
  'token.form': [
    '✗ {{found}}',
    'in the Discord developer portal, open your application, press Bot > Reset Token, and put DISCORD_TOKEN=<that token> into {{origin}}',
  ],
  'token.known': ['✓ knows the bot as {{name}}, in {{guilds}}; no privileged intent is needed'],
  'token.refused': [
    '✗ does not know the token: it was reset, or copied incompletely',
    'in the Discord developer portal, press Bot > Reset Token, and put DISCORD_TOKEN=<that token> into {{origin}}',
  ],
  'discord.limited': ['! asks this machine to slow down (429)', 'run the check again in ten minutes'],
  'discord.unreachable': [
    '! cannot be reached: {{reason}}',
    'check the network of this machine, its firewall and DNS; https://discordstatus.com shows outages',
  ],
  'token.fewStarts': [
    '! connections left today: {{remaining}} of {{total}}; beyond them Discord resets the token',
    'find out why the bot restarts so often (see its log), and stop it until then',
  ],
  'guild.none': ['✗ the bot is in none', 'add it with {{invite}}'],
  'guild.notIn': ['✗ the bot is not in it', 'correct the id, or add it with {{invite}}'],
  'commands.registered': ['✓ registered'],
  'commands.beforeStart': ['✓ not all are registered; the first start registers them'],
  'commands.missing': [
    '! not all are registered',
    'run: outpost deploy-commands; the log of the running Outpost says why it could not',
  ],
  'commands.refused': [
    '✗ Discord refuses them: the bot was added without the scope for commands',
    'add it again with {{invite}}',
  ],
  'commands.unknown': [
    '! Discord does not say whether they are registered',
    'run the check again; https://discordstatus.com shows outages',
  ],
  'channel.good': ['✓ the bot may post there'],
  'channel.unknown': [
    '✗ there is no such channel, or it was deleted',
    'copy the id anew: in Discord, switch User Settings > Advanced > Developer Mode on, then right-click the channel > Copy Channel ID',
  ],
  'channel.gone': [
    '✗ there is no such channel, or it was deleted',
    'remove it with /outpost posts in that Discord server',
  ],
  'channel.hidden': [
    '✗ the bot cannot see the channel, or is not in its Discord server',
    'add the bot to that server, and grant it View Channel in the settings of the channel',
  ],
  'channel.unchecked': [
    '! could not be checked: {{message}}',
    'run the check again; https://discordstatus.com shows outages',
  ],
  'channel.noText': [
    '✗ is a category or forum, to which no message can be sent',
    'name a text channel or a thread',
  ],
  'channel.lacks': [
    '✗ the bot lacks {{rights}}',
    'grant the bot {{them}} in the settings of the channel > Permissions',
  ],
  'channel.lacksFiles': [
    '! the bot lacks Attach Files, so there is no picture',
    'grant the bot it in the settings of the channel > Permissions',
  ],
  'channel.locked': ['! the thread is locked', 'unlock it, or grant the bot Manage Threads'],
  'channel.notHome': [
    '✗ its Discord server is not a home guild, so nothing is posted',
    'if it is yours, add it to discord.guilds: - { id: "{{guild}}" }; else take the post out',
  ],
  'channel.forAll': [
    '! everyone can see it, and it gets what only moderators should know of players',
    'take View Channel from @everyone in the settings of the channel > Permissions, or name a channel of your moderators',
  ],
  'channel.otherProject': [
    '✗ server {{server}} belongs to the project {{project}}, but Discord server {{guild}} shows {{shown}}, so nothing is posted',
    'name servers of {{own}}, a channel of another Discord server, or the project that this one is to show: guilds: [{ id: "{{guild}}", project: {{project}} }]',
  ],
  'channel.noRole': ['✗ its Discord server has no role {{role}}', 'copy the id of the role anew'],
  'channel.muteRole': [
    '! the bot may not mention role {{role}}, so nobody is notified',
    'switch "Allow anyone to @mention this role" on in the settings of the role, or grant the bot Mention Everyone',
  ],
  'channel.tooMany': [
    '! were not checked: the check looks at {{most}} of them',
    'use /outpost posts in each Discord server',
  ],
  'role.good': ['✓ the bot may give and take it'],
  'role.unknown': [
    '✗ no home guild that the bot is in has such a role',
    'copy the id of the role anew, or add its Discord server to discord.guilds',
  ],
  'role.obstacle': ['✗ {{found}}', '{{next}}'],
} as const satisfies Record<string, readonly [found: `${'✓' | '!' | '✗'} ${string}`, next?: string]>;
