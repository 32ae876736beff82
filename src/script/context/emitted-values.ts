/** The variable that holds the `EmittedValues` of derived fields: no source can spell it. */
export const EMITTED_VALUES = '#emitted'
