/**
 * Gestures by which members prove who they are, as real admin logs name them, with their English names in the game. None
 * drops an item, hurts or is held while idle: four of five gestures in real logs are `EmoteSitA`. How many a member
 * has to make (`community/gesture-draw.ts`) follows from how many there are.
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
  EmoteThroat: 'Cut throat',
  EmoteRPSRandom: 'Rock, paper, scissors',
  EmoteTauntElbow: 'Taunt (elbow)',
  EmoteTauntKiss: 'Blow a kiss',
} as const;
