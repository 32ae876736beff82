/** Texts of tags, comments, scripts and references, well formed and not. */
import { Draw } from './varied-strings.ts'

const WORDS = 'the fox é 日本 x 😀 a-b 5 < 3 "q" \'q\' & && 1<2 > => -- ]]> ? ! = #'.split(' ')
const TAGS =
  'p b i div br BR span h1 a table STRONG em li script style Ünï x:y _t img brx scripted'.split(' ')
const ATTRIBUTES = [
  ' href="x"',
  " title='it''s'",
  ' a=b',
  ' onload="a>b"',
  " onFocus='<p>'",
  ' onclick="f(\'x\')"',
  ' checked',
  ' =',
  ' x = "y"',
  ' e="\\"q\\""',
  '\n\tid="1"',
  ' onblur="unclosed',
  ' <!--#echo var="x" -->',
  '/',
]
const REFERENCES =
  '&amp; &lt; &gt; &nbsp; &eacute; &Eacute &unknown; &#65; &#x41; &#X1F600; &#128512; &#xD83D;&#xDE00; &#55357;&#56832; &#xD83D;&#56832; &#55357;&#xDE00; &#xD800; &#1114112; &#99999999; &#x110000; &#; &#x; & &quot &AMP; &COPY &#65 &hearts;'.split(
    ' ',
  )
const SPECIALS = [
  '<!-- c -->',
  '<!-- a > b --><p>',
  '<!---->',
  '<!--->',
  '<!DOCTYPE html>',
  '<!x--y>',
  '<![CDATA[a < b && c]]>',
  '<![CDATA[open',
  '<?xml version="1.0"?>',
  '<?php echo 1 ?>',
  '<? x >',
  '<script>var a = "</b>"; if (1<2) {}</script>',
  "<script><!-- x = '</script>' --></script>",
  '<SCRIPT type="t">a</ script >',
  '<style>p { color: red }</style>',
  '<style><!-- "</style>" --></style >',
  '<script>open',
  '<style>open <!--',
  '<!--#include file="a>b" -->',
  '<!-- open <!--#if "x',
  '</ p>',
  '</p\n>',
  '</p x>',
  '</br>',
  '<br/>',
  '<br / >',
  '<br=1>',
  '< p>',
  '< 5',
  '<',
  '</',
  '<!',
  '<p',
  '</p',
  '<b',
  '<1>',
  '<a<b>c>',
]

function piece(draw: Draw): string {
  switch (draw.below(8)) {
    case 0:
    case 1: {
      let text = `<${draw.below(8) === 0 ? ' ' : ''}${draw.of(TAGS)}`
      for (let i = draw.below(3); i > 0; i--) text += draw.of(ATTRIBUTES)
      return text + draw.of(['>', '>', '>', '/>', ' >', ' />', ''])
    }
    case 2:
      return `</${draw.of(TAGS)}${draw.of(['>', '>', ' >', ''])}`
    case 3:
      return draw.of(REFERENCES)
    case 4:
      return draw.of(SPECIALS)
    default:
      return draw.of(WORDS)
  }
}

/** So many texts, the same in every run. */
export function variedMarkup(count = 3000): readonly string[] {
  const draw = new Draw(0xb12ed)
  const texts = [...SPECIALS, ...REFERENCES]
  while (texts.length < count) {
    let text = piece(draw)
    for (let i = draw.below(12); i > 0; i--) text += draw.of(['', ' ', ' ', '\n']) + piece(draw)
    texts.push(text)
  }
  return texts
}
