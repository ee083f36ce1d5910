import {
  Anchor,
  type AnchorProps,
  Button,
  type ButtonProps,
  NavLink,
  type NavLinkProps,
  Paper,
  type PaperProps,
} from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { AnchorHTMLAttributes } from 'react';

type Rest<P> = P & Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof P>;

/** A link to a page in running text or a table; path, parameters and search are checked against the router. */
export const PageLink = createLink((props: Rest<AnchorProps>) => <Anchor size="sm" {...props} />);

/** The link of a row in a list, which covers the row. */
export const RowLink = createLink((props: Rest<AnchorProps>) => (
  <Anchor size="sm" fw={500} {...props} className="row-link" />
));

/** A link to a page that looks like a button. */
export const ButtonLink = createLink((props: Rest<ButtonProps>) => <Button component="a" {...props} />);

/** A box that is a link as a whole. */
export const BoxLink = createLink((props: Rest<PaperProps>) => <Paper component="a" {...props} />);

/** An entry of the main menu. */
export const MenuLink = createLink((props: Rest<NavLinkProps>) => <NavLink component="a" {...props} />);
