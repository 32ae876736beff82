/**
 * Texts of many kinds, the same in every run: scripts of the world, marks, emoji, numbers, links,
 * punctuation, very long tokens, nothing. Only code points of Unicode 13 and before, which is what
 * the machine's Java knows.
 */

/** Draws from a seed; xorshift of 32 bits. */
export class Draw {
  #state: number

  constructor(seed: number) {
    this.#state = seed | 1
  }

  /** 0 … bound − 1 */
  below(bound: number): number {
    let state = this.#state
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    this.#state = state
    return (state >>> 0) % bound
  }

  of<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!
  }
}

/** Code points that make words of a script, first and last of each range. */
const SCRIPTS: Readonly<Record<string, readonly (readonly [number, number])[]>> = {
  latin: [
    [0x61, 0x7a],
    [0x61, 0x7a],
    [0x41, 0x5a],
  ],
  latin1: [
    [0x61, 0x7a],
    [0xc0, 0xd6],
    [0xd8, 0xf6],
    [0xf8, 0xff],
  ],
  latinExtended: [
    [0x100, 0x17f],
    [0x180, 0x24f],
    [0x1e00, 0x1eff],
    [0x61, 0x7a],
  ],
  turkish: [
    [0x130, 0x131],
    [0x61, 0x7a],
    [0x49, 0x49],
    [0x69, 0x69],
    [0x15e, 0x15f],
  ],
  greek: [
    [0x386, 0x386],
    [0x388, 0x38a],
    [0x38e, 0x3a1],
    [0x3a3, 0x3ce],
    [0x1f00, 0x1f15],
    [0x3b1, 0x3c9],
  ],
  cyrillic: [
    [0x430, 0x44f],
    [0x410, 0x42f],
    [0x450, 0x45f],
    [0x430, 0x44f],
  ],
  armenian: [
    [0x531, 0x556],
    [0x561, 0x587],
  ],
  hebrew: [
    [0x5d0, 0x5ea],
    [0x5d0, 0x5ea],
    [0x5b0, 0x5bc],
  ],
  arabic: [
    [0x621, 0x63a],
    [0x640, 0x652],
    [0x627, 0x64a],
    [0x660, 0x669],
    [0x6a9, 0x6cc],
  ],
  devanagari: [
    [0x904, 0x939],
    [0x93c, 0x94d],
    [0x915, 0x939],
    [0x966, 0x96f],
  ],
  bengali: [
    [0x995, 0x9a8],
    [0x9aa, 0x9b0],
    [0x9be, 0x9c4],
    [0x9cd, 0x9ce],
    [0x9e6, 0x9ef],
  ],
  tamil: [
    [0xb95, 0xb95],
    [0xba8, 0xbaa],
    [0xbae, 0xbb9],
    [0xbbe, 0xbc2],
    [0xbcd, 0xbcd],
  ],
  malayalam: [
    [0xd15, 0xd39],
    [0xd3e, 0xd44],
    [0xd4d, 0xd4d],
    [0xd7a, 0xd7f],
  ],
  thai: [
    [0xe01, 0xe2e],
    [0xe30, 0xe39],
    [0xe40, 0xe4e],
    [0xe01, 0xe2e],
  ],
  lao: [
    [0xe94, 0xe97],
    [0xe99, 0xe9f],
    [0xeb0, 0xeb9],
    [0xec8, 0xecd],
  ],
  khmer: [
    [0x1780, 0x17b3],
    [0x17b6, 0x17d1],
  ],
  georgian: [[0x10d0, 0x10f0]],
  ethiopic: [[0x1200, 0x1248]],
  hangul: [
    [0xac00, 0xd7a3],
    [0xac00, 0xd7a3],
    [0x1100, 0x1112],
    [0xffa1, 0xffbe],
  ],
  han: [
    [0x4e00, 0x9fef],
    [0x3400, 0x4db5],
    [0x4e00, 0x9fef],
  ],
  hanAstral: [
    [0x20000, 0x2a6d6],
    [0x2f800, 0x2fa1d],
  ],
  hiragana: [[0x3041, 0x3096]],
  katakana: [
    [0x30a1, 0x30fa],
    [0x30fc, 0x30fc],
    [0x31f0, 0x31ff],
  ],
  halfKatakana: [
    [0xff66, 0xff9f],
    [0xff9e, 0xff9f],
  ],
  fullWidth: [
    [0xff01, 0xff5e],
    [0xff21, 0xff3a],
    [0xff41, 0xff5a],
    [0xff10, 0xff19],
  ],
  mathAstral: [
    [0x1d400, 0x1d454],
    [0x1d7ce, 0x1d7ff],
  ],
  deseret: [
    [0x10400, 0x10427],
    [0x10428, 0x1044f],
  ],
  letterlike: [
    [0x2100, 0x214f],
    [0x2150, 0x2188],
    [0x2460, 0x24ea],
    [0xfb00, 0xfb06],
  ],
}

const SCRIPT_NAMES = Object.keys(SCRIPTS)

/** English words with what stemmers and splitters look at. */
const WORDS = (
  "the The a an of in I dog's dogs' O'Neil's running runner ran flies dying relational conditional " +
  'rationalization valenci hesitanci digitizer conformabli radicalli vietnamization predication operator feudalism ' +
  'decisiveness hopefulness callousness formaliti sensitiviti sensibiliti triplicate formative formalize electriciti ' +
  'electrical hopeful goodness revival allowance inference airliner gyroscopic adjustable defensible irritant replacement ' +
  'adjustment dependent adoption homologou communism activate angulariti homologous effective bowdlerize probate rate ' +
  'cease controll roll caresses ponies ties cats feed agreed plastered bled motoring sing conflated troubled sized ' +
  'hopping tanned falling hissing fizzed failing filing happy sky skies news innings generate generic organization ' +
  'wi-fi WiFi PowerShot SD500 500-42 j2se XL-500 foo_bar C++ c# .NET AT&T U.S.A. I.B.M. e.g. rock’n’roll don’t l’avion ' +
  "L'Arbre qu'il dell'arte d'un oder straße STRASSE Maße Ærø Åse øre œuvre cœur façade naïve résumé Zürich Şişli İstanbul " +
  'ISPARTA ΣΊΣΥΦΟΣ Σίσυφος ὈΔΥΣΣΕΎΣ МОСКВА Москва ёлка книги ﬁnance Ⅳ ½ ㎏ x² H₂O'
).split(' ')

const NUMBERS =
  '0 7 42 1,024 3.14 -5 1e10 192.168.0.1 ٣٤٥ ४५६ ０１２ ১২৩ 12:30 2026-11-21 1/2 50% $9.99 0x1F ¼'.split(
    ' ',
  )

const LINKS = (
  'http://example.com https://www.example.org/a/b?c=d&e=f#g ftp://files.example.net/x.txt www.example.co.uk ' +
  'user@example.com first.last+tag@sub.example.museum example.com/path mailto:a@b.de http://münchen.de file:///etc/hosts ' +
  'a@b x.y.z http://[::1]/ https://例え.jp /usr/local/bin C:\\dir\\file.txt a/b/c//d'
).split(' ')

const EMOJI = '😀 👍🏽 👨‍👩‍👧‍👦 🇩🇪 🇩🇪🇫🇷 1️⃣ ❤️ ☺︎ 🏳️‍🌈 ©️ ™ 🤷🏻‍♀️ 🦀'.split(' ')

const PUNCTUATION = [
  '.',
  ',',
  '!',
  '?',
  '…',
  '—',
  '-',
  '--',
  '_',
  '"',
  "'",
  '’',
  '“',
  '(',
  ')',
  '[]',
  '{',
  '<b>',
  '&amp;',
  '/',
  '\\',
  '|',
  '#',
  '·',
  '״',
  '、',
  '。',
  '・',
  '؟',
  '।',
  '::',
  '+',
  '=',
  '@',
  '%',
  '\u00ad',
  '\u200b',
  '\u200c',
  '\u200d',
  '\ufeff',
]

const SEPARATORS = [
  ' ',
  ' ',
  ' ',
  ' ',
  '  ',
  '\t',
  '\n',
  '\r\n',
  '\u00a0',
  '\u3000',
  '\u2028',
  '\u0085',
  '-',
  ', ',
  '. ',
  '/',
  '',
  '_',
]

/** Marks that combine; some compose with the letter before, most do not. */
const MARKS = [
  '\u0301',
  '\u0308',
  '\u0327',
  '\u0300\u0323',
  '\u0345',
  '\u20e3',
  '\u0483',
  '\u05bf',
  '\u064b',
  '\u3099',
  '\u0e48',
  '\ufe0f',
]

/** One code point of a script. */
function letter(draw: Draw, script: string): string {
  const [first, last] = draw.of(SCRIPTS[script]!)
  return String.fromCodePoint(first + draw.below(last - first + 1))
}

function scriptWord(draw: Draw, script: string, length: number): string {
  let word = ''
  for (let i = 0; i < length; i++) {
    word += letter(draw, script)
    if (draw.below(24) === 0) word += draw.of(MARKS)
  }
  return word
}

function word(draw: Draw): string {
  switch (draw.below(12)) {
    case 0:
    case 1:
    case 2:
    case 3:
      return draw.of(WORDS)
    case 4: {
      const plain = draw.of(WORDS)
      return draw.below(2) === 0 ? plain.toUpperCase() : plain + draw.of(WORDS)
    }
    case 5:
      return draw.of(NUMBERS)
    case 6:
      return draw.of(LINKS)
    case 7:
      return draw.of(EMOJI)
    case 8: {
      let run = ''
      for (let i = draw.below(4); i >= 0; i--) run += draw.of(PUNCTUATION)
      return run
    }
    case 9:
      return draw.of(WORDS).normalize('NFD') + (draw.below(3) === 0 ? draw.of(MARKS) : '')
    default:
      return scriptWord(draw, draw.of(SCRIPT_NAMES), 1 + draw.below(9))
  }
}

function sentence(draw: Draw, makeWord: () => string, words: number): string {
  let text = ''
  for (let i = 0; i < words; i++) text += (i === 0 ? '' : draw.of(SEPARATORS)) + makeWord()
  return text
}

/** Longest of all, and around the limits of tokenizers. */
function longTokens(draw: Draw): string[] {
  const texts = ['x'.repeat(255), 'x'.repeat(256), 'y'.repeat(511), `${'z'.repeat(254)}é`]
  for (const script of ['latin', 'cyrillic', 'thai', 'han', 'deseret', 'arabic', 'devanagari']) {
    let text = ''
    while (text.length < 10_000) text += letter(draw, script)
    texts.push(text)
  }
  texts.push(`${'a'.repeat(254)}😀${'b'.repeat(300)}`, `ab ${'c'.repeat(10_000)} de`)
  return texts
}

/**
 * The texts that every component is held against Lucene with.
 * @param count at least 100
 */
export function variedStrings(count = 2000): readonly string[] {
  const draw = new Draw(0x1a3e11a)
  const texts = [
    '',
    ' ',
    '\n\t ',
    '...',
    'a',
    'é',
    '😀',
    '\u0301',
    '—'.repeat(40),
    ...longTokens(draw),
  ]
  for (const each of [...WORDS, ...NUMBERS, ...LINKS, ...EMOJI]) texts.push(each)
  for (const script of SCRIPT_NAMES) {
    for (let i = 0; i < 12; i++)
      texts.push(
        sentence(draw, () => scriptWord(draw, script, 1 + draw.below(10)), 1 + draw.below(8)),
      )
  }
  while (texts.length < count) texts.push(sentence(draw, () => word(draw), 1 + draw.below(12)))
  return texts.slice(0, count)
}
