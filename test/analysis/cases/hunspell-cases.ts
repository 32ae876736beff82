/** Hunspell dictionaries of our own with all that their files may say. */
import { makeChain } from '../../support/analysis-chain.ts'
import type { AnalysisCase } from '../../support/analysis-vectors.ts'
import { Draw, variedStrings } from '../../support/varied-strings.ts'

interface Dictionary {
  readonly affixes: string
  readonly words: string
  /** Beginnings, middles and ends that texts are made of. */
  readonly parts: readonly [string, string, string]
}

const DICTIONARIES: Readonly<Record<string, Dictionary>> = {
  plain: {
    affixes: `# prefixes, suffixes, conditions
SET UTF-8
TRY esianrtolcdugmphbyfvkwzESIANRTOLCDUGMPHBYFVKWZ
KEEPCASE K
NEEDAFFIX N
ONLYINCOMPOUND O
PFX U Y 2
PFX U 0 un .
PFX U 0 im [mp]
PFX R N 1
PFX R 0 re .
SFX S Y 4
SFX S y ies [^aeiou]y
SFX S 0 s [aeiou]y
SFX S 0 es [sxzh]
SFX S 0 s [^sxzhy]
SFX D Y 3
SFX D 0 d e
SFX D y ied [^aeiou]y
SFX D 0 ed [^ey]
SFX L Y 1
SFX L 0 ly/P .
SFX P N 1
SFX P 0 ish .
SFX O Y 1
SFX O 0 bar/O .
`,
    words: `14
try/SDU
possible/UL
box/SDR
day/S
NATO/K
stand/U
foo/N
fooS/NS
lone/OS
drink/OS st:drank
drank po:verb st:drink
do\\/it/S
happy/ULD
happy/S
`,
    parts: [
      'un im re Un UN  ',
      'try possible possib box day NATO nato stand foo lone drink drank do/it happy happ tr',
      's es ies d ed ied ly lyish bar y i S LY ',
    ],
  },
  numbered: {
    affixes: `SET UTF-8
FLAG num
AF 5
AF 1,2
AF 3
AF 4,1
AF 5
AF 9
CIRCUMFIX 9
FULLSTRIP
IGNORE ـ-
ICONV 2
ICONV ’ '
ICONV ss ß
OCONV 1
OCONV ß ss
PFX 1 Y 2
PFX 1 0 ge .
PFX 1 0 ver/5 [^g]
SFX 2 Y 3
SFX 2 en t/2 en
SFX 2 0 t .
SFX 2 en est/4 [^aeiou]en
SFX 3 Y 1
SFX 3 en 0 en
SFX 4 Y 1
SFX 4 0 s .
SFX 5 Y 1
SFX 5 haus häuser haus
`,
    words: `6
laufen/1
gehen/3
straße/2
haus/4
en/3
müssen/1
`,
    parts: [
      'ge ver Ge  ',
      "laufen lauf gehen geh straße strasse haus häuser en müssen müßen müs la-ufen l'auf",
      't s est en ts sts  ',
    ],
  },
  paired: {
    affixes: `SET UTF-8
FLAG long
LANG tr_TR
COMPLEXPREFIXES
PFX Aa Y 1
PFX Aa 0 da/Bb .
PFX Bb Y 1
PFX Bb 0 ev/Aa .
SFX Cc Y 2
SFX Cc 0 lar [aıou]
SFX Cc 0 ler .
SFX Dd Y 1
SFX Dd 0 i/Cc .
`,
    words: `5
ışık/CcAa
kapı/CcDd
ev/AaBbCc
IRMAK/Cc
irmak/Dd
`,
    parts: [
      ' da ev daev evda DA Ev',
      'ışık IŞIK kapı Kapı ev irmak IRMAK İrmak ırmak',
      ' lar ler i iler LAR',
    ],
  },
}

function textsOf({ parts }: Dictionary): readonly string[] {
  const draw = new Draw(parts[1].length * 31)
  const [beginnings, middles, ends] = parts.map(list => list.split(' ')) as [
    string[],
    string[],
    string[],
  ]
  const texts: string[] = []
  for (let i = 0; i < 1000; i++) {
    let text = ''
    for (let words = draw.below(4); words >= 0; words--) {
      const word = draw.of(beginnings) + draw.of(middles) + draw.of(ends)
      const cased =
        draw.below(5) === 0
          ? word.toUpperCase()
          : draw.below(5) === 0
            ? word.charAt(0).toUpperCase() + word.slice(1)
            : word
      text += (text === '' ? '' : ' ') + cased
    }
    texts.push(text)
  }
  return [...variedStrings(), ...texts]
}

export function hunspellCases(): readonly AnalysisCase[] {
  return Object.entries(DICTIONARIES).flatMap(([name, dictionary]) => {
    const texts = textsOf(dictionary)
    return [false, true].map(
      (longest): AnalysisCase => ({
        name: `hunspell ${name}${longest ? ', longest' : ''}`,
        lucene: {
          chain: {
            tokenizer: { name: 'whitespace', args: { maxTokenLen: '1000000' } },
            filters: [
              {
                name: 'hunspellStem',
                args: { dictionary: 'x.dic', affix: 'x.aff', longestOnly: String(longest) },
              },
            ],
            resources: { 'x.dic': dictionary.words, 'x.aff': dictionary.affixes },
          },
        },
        ours: () =>
          makeChain({
            tokenizer: { type: 'whitespace', max_token_length: '1000000' },
            filters: [{ type: 'hunspell', locale: 'x', longest_only: String(longest) }],
            files: {
              'hunspell/x/x.aff': dictionary.affixes.split('\n'),
              'hunspell/x/x.dic': dictionary.words.split('\n'),
            },
          }),
        texts: () => texts,
      }),
    )
  })
}
