#!/usr/bin/python3
"""Starts `python3 -m workbench.fake_logind`. The Swift tests start the program by this path."""
import pathlib
import runpy
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
sys.dont_write_bytecode = True
runpy.run_module('workbench.fake_logind', run_name='__main__', alter_sys=True)
