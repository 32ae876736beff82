/**
 * One spelling for letters of Indian scripts that may be written as one code point or as several
 * which look the same, few of which Unicode's own normal forms compose (The Unicode Standard,
 * South Asian scripts).
 */

/** First code point of the scripts; each block has 128. */
const BLOCKS = {
  D: 0x900,
  B: 0x980,
  G: 0xa00,
  J: 0xa80,
  O: 0xb00,
  T: 0xb80,
  L: 0xc00,
  K: 0xc80,
  M: 0xd00,
}
const FIRST = 0x900
const LAST = 0xd7f
const BLOCK_SIZE = 0x80

/**
 * Rules: the written form, its replacement, and the scripts they hold in (Devanagari, Bengali,
 * Gurmukhi, Gujarati as J, Oriya, Tamil, Telugu as L, Kannada, Malayalam). Numbers are offsets in the
 * script's block; `+` is the zero-width joiner. Of two rules that fit, the first holds.
 */
const RULES =
  '05 3E 45=11 DJ,05 3E 46=12 D,05 3E 47=13 DJ,05 3E 48=14 DJ,05 3E=06 DBGJO,05 45=72 D,05 45=0D J,' +
  '05 46=04 D,05 47=0F J,05 48=10 GJ,05 49=11 DJ,05 4A=12 D,05 4B=13 DJ,05 4C=14 DGJ,06 45=11 DJ,' +
  '06 46=12 D,06 47=13 DJ,06 48=14 DJ,07 57=08 M,09 41=0A D,09 57=0A TM,0E 46=10 M,0F 45=0D D,' +
  '0F 46=0E D,0F 47=10 D,0F 57=10 O,12 3E=13 M,12 4C=14 LK,12 55=13 L,12 57=14 TM,13 57=14 O,' +
  '15 3C=58 D,16 3C=59 DG,17 3C=5A DG,1C 3C=5B DG,21 3C=5C DBO,22 3C=5D DBO,23 4D +=7A M,24 4D +=4E B,' +
  '28 3C=29 D,28 4D +=7B M,2B 3C=5E DG,2F 3C=5F DB,2C 41 41=0B L,30 3C=31 D,30 4D +=7C M,32 4D +=7D M,' +
  '33 3C=34 D,33 4D +=7E M,35 41=2E L,3E 45=49 DJ,3E 46=4A D,3E 47=4B DJ,3E 48=4C DJ,3F 55=40 K,' +
  '41 41=42 G,46 3E=4A TM,46 42 55=4B K,46 42=4A K,46 46=48 M,46 55=47 LK,46 56=48 LK,46 57=4C TM,' +
  '47 3E=4B BOTM,47 57=4C BO,4A 55=4B K,72 3F=07 G,72 40=08 G,72 47=0F G,73 41=09 G,73 42=0A G,73 4B=13 G'

interface Rule {
  /** Two or three letters. */
  readonly written: string
  readonly composed: string
}

/** By the first letter. */
const RULES_OF: ReadonlyMap<number, readonly Rule[]> = readRules()

/** Normal form of a word. */
export function normalizeIndic(term: string): string {
  let made = ''
  let copied = 0
  for (let i = 0; i < term.length - 1; i++) {
    const unit = term.charCodeAt(i)
    if (unit < FIRST || unit > LAST) continue
    const rule = RULES_OF.get(unit)?.find(({ written }) => term.startsWith(written, i))
    if (rule === undefined) continue
    made += term.slice(copied, i) + rule.composed
    copied = i + rule.written.length
    i = copied - 1
  }
  return copied === 0 ? term : made + term.slice(copied)
}

function readRules(): ReadonlyMap<number, readonly Rule[]> {
  const rules = new Map<number, Rule[]>()
  for (const line of RULES.split(',')) {
    const [written = '', target = ''] = line.split('=')
    const [composed = '', scripts = ''] = target.split(' ')
    for (const [script, start] of Object.entries(BLOCKS)) {
      if (!scripts.includes(script)) continue
      const letter = (place: string): string =>
        place === '+' ? '\u200d' : String.fromCharCode(start + (parseInt(place, 16) % BLOCK_SIZE))
      const text = written.split(' ').map(letter).join('')
      const list = rules.get(text.charCodeAt(0)) ?? []
      rules.set(text.charCodeAt(0), list)
      list.push({ written: text, composed: letter(composed) })
    }
  }
  return rules
}
