export { joinAccountOf, readGenerations } from './account.store.js';
export { chooseDigest } from './choose-digest.js';
export { choosePreferences } from './choose-preferences.js';
export { createUser } from './create-user.js';
export { givePassword, isPasswordOfUser } from './give-password.js';
export { inviteUser } from './manage-users.js';
export { isMemberOf } from './membership.store.js';
export { peopleReasons } from './people.errors.js';
export { onPersonRemoved, onSignInChanged } from './people.hooks.js';
export { peopleRoutes } from './people.routes.js';
export { resetSecondFactor } from './reset-second-factor.js';
export { scopesOfRole } from './roles.js';
export { endElsewhere } from './sign-in/end-elsewhere.js';
export { hashNewPassword, OURSELVES } from './sign-in/password-hash.js';
export { recordRefusedSignIns } from './sign-in/record-refusals.js';
export { removeExpiredSignIns } from './sign-in/remove-expired.js';
export { sealedFactors } from './sign-in/sealed-factors.store.js';
export { noteSessionUse, shareLockSession } from './sign-in/session.store.js';
export { SESSION_REQUESTS_PER_MINUTE, sessionResolver } from './sign-in/session-resolver.js';
export { type ConsoleOptions, signInRoutes } from './sign-in/sign-in.routes.js';
export { signInPages } from './sign-in/sign-in-page.routes.js';
export { requireEmail, USER_ROLES, type UserRole } from './user.js';
export {
  firstAdministrator,
  joinUser,
  joinUserAnywhere,
  listAdministrators,
  listUsers,
  readActiveUser,
  shareLockActivePerson,
  userExists,
} from './user.store.js';
export { userRows } from './user-rows.js';
