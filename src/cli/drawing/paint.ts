import { styleText } from 'node:util'

/** Colours a piece of text. */
export type Paint = (text: string) => string

/** The few colours that drawings use. */
export interface Paints {
  readonly bold: Paint
  readonly dim: Paint
  readonly good: Paint
  readonly bad: Paint
  readonly busy: Paint
  readonly waiting: Paint
}

type Style = Parameters<typeof styleText>[0]

/** Paints that colour, or that leave text as it is. */
export function paintsFor(isColoured: boolean): Paints {
  const paint = (style: Style): Paint =>
    isColoured ? text => styleText(style, text, { validateStream: false }) : text => text
  return {
    bold: paint('bold'),
    dim: paint('dim'),
    good: paint('green'),
    bad: paint('red'),
    busy: paint('cyan'),
    waiting: paint('yellow'),
  }
}
