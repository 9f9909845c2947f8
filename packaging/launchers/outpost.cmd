@echo off
rem Starts Outpost with the Node.js of this archive. Config, .env and data are those of the folder that it is called in.
"%~dp0node\node.exe" "%~dp0app\dist\main.js" %*
