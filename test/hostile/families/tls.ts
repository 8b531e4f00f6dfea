import { type Misbehaviour, kinds } from '../misbehaviour'

/** A service whose certificate is no longer trusted: nothing is sent to it. */

const certificates = ['self-signed', 'other-name', 'plain HTTP'] as const

export const tls: Misbehaviour[] = certificates.flatMap((certificate) =>
  kinds.map((kind): Misbehaviour => ({
    name: `behind TLS it shows ${certificate}, ${kind}`,
    family: 'tls',
    kind,
    parts: [],
    certificate,
    shows: ['unreachable'],
  })),
)
