/**
 * Gestures by which members prove who they are, as the admin log names them, with their English names in the game. None
 * drops an item, hurts or is made by chance: four of five gestures in real logs are `EmoteSitA`.
 */
export const gestures = {
  EmoteSalute: 'Salute',
  EmoteGreeting: 'Greeting',
  EmoteClap: 'Clap',
  EmoteHeart: 'Heart',
  EmotePoint: 'Point',
  EmotePointSelf: 'Point at self',
  EmoteThumb: 'Thumbs up',
  EmoteThumbDown: 'Thumbs down',
  EmoteNod: 'Nod',
  EmoteShake: 'Shake head',
  EmoteDance: 'Dance',
  EmoteFacepalm: 'Facepalm',
  EmoteShrug: 'Shrug',
  EmoteTimeout: 'Timeout',
  EmoteLookAtMe: 'Look at me',
  EmoteListening: 'Listening',
  EmoteCome: 'Come here',
  EmoteMove: 'Move',
  EmoteSilent: 'Silence',
  EmoteWatching: 'Watching you',
} as const;
