"""Thin front ends. They hold no rules and no reasoning, and never import each other."""
