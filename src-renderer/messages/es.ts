import type { FirstKey } from './en'
import { checkout } from './es/checkout'
import { errors } from './es/errors'
import { receiving } from './es/receiving'
import { shell } from './es/shell'
import { warnings } from './es/warnings'

export const es = { ...shell, ...warnings, ...receiving, ...checkout, ...errors } satisfies Record<FirstKey, string>
