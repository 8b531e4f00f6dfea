import { z } from 'zod'

// Compiled schemas need eval, which the page's CSP forbids. Schemas decide when they are made, so this is imported first.
z.config({ jitless: true })
