enum MQTTBridgeStub {}
