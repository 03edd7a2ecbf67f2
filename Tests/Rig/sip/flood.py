#!/usr/bin/python3
"""Starts `python3 -m workbench.sip_flood`. The Swift tests start the program by this path."""
import pathlib
import runpy
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3]))
sys.dont_write_bytecode = True
runpy.run_module('workbench.sip_flood', run_name='__main__', alter_sys=True)
