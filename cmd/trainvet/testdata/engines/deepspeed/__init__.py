from deepspeed.runtime.engine import DeepSpeedEngine


def initialize(args=None, model=None, optimizer=None, model_parameters=None, training_data=None, lr_scheduler=None, distributed_port=29500, mpu=None, dist_init_required=None, collate_fn=None, config=None, mesh_param=None, config_params=None):
    engine = DeepSpeedEngine(args=args, model=model, optimizer=optimizer, lr_scheduler=lr_scheduler, config=config)
    return engine, engine.optimizer, None, lr_scheduler
