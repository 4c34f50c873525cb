/** Other deployments to administer. They show only to a run that makes its own fixtures. */
import type { Variant } from './variant.ts'

export const administrationVariants: readonly Variant[] = [
  {
    id: 'hosted-edition',
    sentence: 'It is the hosted edition: users come by invitation, and not beside the API.',
    alter(parts) {
      parts.administration.hosted = true
    },
  },
  {
    id: 'short-lived-tokens',
    sentence: 'Tokens end after three seconds, whatever is asked for.',
    alter(parts) {
      parts.administration.longestTokenMs = 3000
    },
  },
  {
    id: 'collaborations-show-late',
    sentence: 'A new collaboration can be read only after 300 ms.',
    alter(parts) {
      parts.administration.newCollaborationShowsMs = 300
    },
  },
  {
    id: 'user-creation-forbidden',
    sentence: 'Nobody can create users.',
    may: {
      'not-tested': {
        requirements: ['**'],
        because:
          /createUser answered HTTP 200 with error code 403|there is no actor itemOwner who could own items/,
      },
    },
    alter(parts) {
      parts.administration.createsUsers = false
    },
  },
  {
    id: 'nothing-runs-tasks',
    sentence: 'Tasks can be scheduled, and nothing executes them.',
    may: {
      'not-tested': {
        requirements: ['update-task-run/*', 'protocol/*', 'profile/*', 'lifecycle/consistent'],
        because: /no scheduled task ran within \d+ s: nothing seems to execute notebooks here/,
      },
    },
    alter(parts) {
      parts.administration.runsTasks = false
    },
  },
  {
    id: 'login-configured',
    sentence: 'The organization has an enterprise login already.',
    may: {
      'not-tested': {
        requirements: ['update-federation/*', 'protocol/*', 'profile/*', 'lifecycle/consistent'],
        because: /enterprise logins are configured already/,
      },
    },
    alter(parts) {
      parts.administration.hasLogin = true
    },
  },
  {
    id: 'administration-fails-at-times',
    sentence: 'Every eleventh administrative request fails.',
    alter(parts) {
      let count = 0
      parts.administration.fails = () => ++count % 11 === 0
    },
  },
]
