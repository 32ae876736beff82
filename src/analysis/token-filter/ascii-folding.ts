/**
 * Letters, digits and signs as ASCII: what Lucene's folding does, by Unicode's decompositions in the
 * blocks where it follows them, and by hand for letters that decompose into nothing.
 */
import { StackingFilter } from './repeated-tokens.ts'

/** Where the ASCII in a compatibility decomposition, without marks, is the folding; inclusive. */
const DECOMPOSED: readonly (readonly [number, number])[] = [
  [0xb2, 0xb3],
  [0xb9, 0xb9],
  [0xc0, 0x233],
  [0x1d62, 0x1d65],
  [0x1e00, 0x1ef9],
  [0x203c, 0x203c],
  [0x2047, 0x2049],
  [0x2070, 0x2093],
  [0x2460, 0x24ea],
  [0x2c7c, 0x2c7c],
  [0xfb00, 0xfb04],
  [0xfb06, 0xfb06],
  [0xff01, 0xff3f],
  [0xff41, 0xff5b],
  [0xff5d, 0xff5e],
]

/** Foldings that Unicode does not know, and what folds to them. */
const BY_HAND: readonly (readonly [string, string])[] = [
  ['"', '«»“”„″‶❝❞❮❯'],
  ['%', '⁒'],
  ["'", '‘’‚‛′‵‹›❛❜'],
  ['(', '❨❪'],
  ['((', '⸨'],
  [')', '❩❫'],
  ['))', '⸩'],
  ['*', '⁎'],
  ['-', '‐‑‒–—⁻₋'],
  ['/', '⁄'],
  ['0', '⓿'],
  ['1', '⓵❶➀➊'],
  ['10', '⓾❿➉➓'],
  ['11', '⓫'],
  ['12', '⓬'],
  ['13', '⓭'],
  ['14', '⓮'],
  ['15', '⓯'],
  ['16', '⓰'],
  ['17', '⓱'],
  ['18', '⓲'],
  ['19', '⓳'],
  ['2', '⓶❷➁➋'],
  ['20', '⓴'],
  ['3', '⓷❸➂➌'],
  ['4', '⓸❹➃➍'],
  ['5', '⓹❺➄➎'],
  ['6', '⓺❻➅➏'],
  ['7', '⓻❼➆➐'],
  ['8', '⓼❽➇➑'],
  ['9', '⓽❾➈➒'],
  [';', '⁏'],
  ['<', '❬❰'],
  ['>', '❭❱'],
  ['[', '⁅❲'],
  [']', '⁆❳'],
  ['^', '‸'],
  ['A', 'ƏȺᴀ'],
  ['a', 'ɐəɚᶏᶕẚₔⱥⱯ'],
  ['AA', 'Ꜳ'],
  ['aa', 'ꜳ'],
  ['AE', 'ÆǢǼᴁ'],
  ['ae', 'æǣǽᴂ'],
  ['AO', 'Ꜵ'],
  ['ao', 'ꜵ'],
  ['AU', 'Ꜷ'],
  ['au', 'ꜷ'],
  ['AV', 'ꜸꜺ'],
  ['av', 'ꜹꜻ'],
  ['AY', 'Ꜽ'],
  ['ay', 'ꜽ'],
  ['B', 'ƁƂɃʙᴃ'],
  ['b', 'ƀƃɓᵬᶀ'],
  ['C', 'ƇȻʗᴄ'],
  ['c', 'ƈȼɕↄꜾꜿ'],
  ['D', 'ÐĐƉƊƋᴅᴆꝹ'],
  ['d', 'ðđƌȡɖɗᵭᶁᶑꝺ'],
  ['db', 'ȸ'],
  ['dz', 'ʣʥ'],
  ['E', 'ƎƐɆᴇⱻ'],
  ['e', 'ǝɇɘɛɜɝɞʚᴈᶒᶓᶔⱸ'],
  ['F', 'ƑꜰꝻꟻ'],
  ['f', 'ƒᵮᶂẛꝼ'],
  ['G', 'ƓǤǥǧɢʛꝽꝾ'],
  ['g', 'ɠɡᵷᵹᶃꝿ'],
  ['H', 'ĦʜⱧⱵ'],
  ['h', 'ħɥɦʮʯⱨⱶ'],
  ['HV', 'Ƕ'],
  ['hv', 'ƕ'],
  ['I', 'ƖƗɪᵻꟾ'],
  ['i', 'ıɨᴉᵼᶖ'],
  ['J', 'Ɉᴊ'],
  ['j', 'ȷɉɟʄʝ'],
  ['K', 'ƘᴋⱩꝀꝂꝄ'],
  ['k', 'ƙʞᶄⱪꝁꝃꝅ'],
  ['L', 'ĿŁȽʟᴌⱠⱢꝆꝈꞀ'],
  ['l', 'ŀłƚȴɫɬɭᶅⱡꝇꝉꞁ'],
  ['LL', 'Ỻ'],
  ['ll', 'ỻ'],
  ['ls', 'ʪ'],
  ['lz', 'ʫ'],
  ['M', 'ƜᴍⱮꟽꟿ'],
  ['m', 'ɯɰɱᵯᶆ'],
  ['N', 'ŊƝȠɴᴎ'],
  ['n', 'ŉŋƞȵɲɳᵰᶇ'],
  ['O', 'ØƆƟǾᴏᴐꝊꝌ'],
  ['o', 'øǿɔɵᴖᴗᶗⱺꝋꝍ'],
  ['OE', 'Œɶ'],
  ['oe', 'œᴔ'],
  ['OO', 'Ꝏ'],
  ['oo', 'ꝏ'],
  ['OU', 'Ȣᴕ'],
  ['ou', 'ȣ'],
  ['P', 'ƤᴘⱣꝐꝒꝔ'],
  ['p', 'ƥᵱᵽᶈꝑꝓꝕꟼ'],
  ['Q', 'ɊꝖꝘ'],
  ['q', 'ĸɋʠꝗꝙ'],
  ['qp', 'ȹ'],
  ['R', 'ɌʀʁᴙᴚⱤꝚꞂ'],
  ['r', 'ɍɼɽɾɿᵲᵳᶉꝛꞃ'],
  ['S', 'ꜱꞅ'],
  ['s', 'ȿʂᵴᶊẜẝꞄ'],
  ['SS', 'ẞ'],
  ['ss', 'ß'],
  ['T', 'ŦƬƮȾᴛꞆ'],
  ['t', 'ŧƫƭȶʇʈᵵⱦ'],
  ['tc', 'ʨ'],
  ['TH', 'ÞꝦ'],
  ['th', 'þᵺꝧ'],
  ['ts', 'ʦ'],
  ['TZ', 'Ꜩ'],
  ['tz', 'ꜩ'],
  ['U', 'Ʉᴜᵾ'],
  ['u', 'ʉᶙ'],
  ['ue', 'ᵫ'],
  ['V', 'ƲɅᴠỼꝞꝨ'],
  ['v', 'ʋʌᶌⱱⱴꝟ'],
  ['VY', 'Ꝡ'],
  ['vy', 'ꝡ'],
  ['W', 'ǷᴡⱲ'],
  ['w', 'ƿʍⱳ'],
  ['x', 'ᶍ'],
  ['Y', 'ƳɎʏỾ'],
  ['y', 'ƴɏʎỿ'],
  ['Z', 'ƵȜȤᴢⱫꝢ'],
  ['z', 'ƶȝȥɀʐʑᵶᶎⱬꝣ'],
  ['{', '❴'],
  ['}', '❵'],
  ['~', '⁓'],
]

/** Per UTF-16 unit its folding, empty for none. */
let table: string[] | null = null

/** Folds a term; the same string where nothing changes. */
export function foldToAscii(term: string): string {
  let at = 0
  while (at < term.length && term.charCodeAt(at) < 0x80) at++
  if (at === term.length) return term
  table ??= makeTable()
  let result = ''
  let copied = 0
  for (; at < term.length; at++) {
    const unit = term.charCodeAt(at)
    const folded = unit < 0x80 ? '' : table[unit]!
    if (folded === '') continue
    result += term.slice(copied, at) + folded
    copied = at + 1
  }
  return copied === 0 ? term : result + term.slice(copied)
}

function makeTable(): string[] {
  const made = new Array<string>(0x10000).fill('')
  for (const [first, last] of DECOMPOSED)
    for (let unit = first; unit <= last; unit++) {
      const plain = String.fromCharCode(unit).normalize('NFKD').replace(/\p{M}/gu, '')
      if (/^[ -~]+$/.test(plain)) made[unit] = plain
    }
  for (const [folded, units] of BY_HAND)
    for (let i = 0; i < units.length; i++) made[units.charCodeAt(i)] = folded
  return made
}

/** Folds terms, and gives those that it changed once more as they were. */
export class PreservingAsciiFoldingFilter extends StackingFilter {
  protected override first(): boolean {
    const { token } = this
    const folded = foldToAscii(token.term)
    if (folded === token.term) return false
    token.term = folded
    return true
  }

  protected override second(): void {}
}
